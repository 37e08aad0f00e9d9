import { z } from 'zod';

const name = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .regex(/^[^\p{C}]*$/u, 'holds a character that cannot be shown')
  .refine((text) => !/^\d+$/.test(text), 'is a number only, which would be taken for an id');

/** `POST /api/tokens`: what a producer may do with it. Left out means any. */
export const newTokenSchema = z.strictObject({
  name,
  queue: z.string().min(1).max(200).nullish(),
  task_names: z.array(z.string().min(1).max(500)).min(1).max(1000).nullish(),
  expires_at: z.iso.datetime({ offset: true }).nullish(),
  /** Captures a second on average, in each process; a burst of ten seconds' worth is taken at once. */
  captures_per_s: z.number().positive().max(1_000_000).nullish(),
});
export type NewToken = z.infer<typeof newTokenSchema>;

export const TOKEN_SCOPES = ['produce'] as const;

/** A token as it can be listed: the secret itself is stored nowhere. */
export const tokenSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** The last four characters of the token. */
  hint: z.string(),
  scope: z.enum(TOKEN_SCOPES),
  queue: z.string().nullable(),
  task_names: z.array(z.string()).nullable(),
  captures_per_s: z.number().nullable(),
  created_at: z.string(),
  created_by: z.string(),
  /** To the minute. */
  last_used_at: z.string().nullable(),
  expires_at: z.string().nullable(),
  revoked_at: z.string().nullable(),
});
export type Token = z.infer<typeof tokenSchema>;

/** The answer to `POST /api/tokens`, the one time that the token is shown. */
export const createdTokenSchema = tokenSchema.extend({ token: z.string() });
export type CreatedToken = z.infer<typeof createdTokenSchema>;

/** Who sends captures with a token, and what it may send. */
export interface Producer {
  token_id: string;
  name: string;
  queue: string | null;
  task_names: readonly string[] | null;
  captures_per_s: number | null;
}
