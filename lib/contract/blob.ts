import { z } from 'zod';

export const sha256Schema = z.string().regex(/^[0-9a-f]{64}$/);

/** The answer to a blob that was put; `created` is false where it was there already. */
export const storedSchema = z.object({ sha256: sha256Schema, size_bytes: z.number().int(), created: z.boolean() });
export type StoredAnswer = z.infer<typeof storedSchema>;
