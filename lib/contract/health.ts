import { z } from 'zod';

export const healthSchema = z.object({ status: z.literal('ok') });

/** `GET /readyz`: 200 when everything is there, else 503 with the reasons in words. */
export const readySchema = z.object({
  ready: z.boolean(),
  reasons: z.array(z.string()),
  /** What is served all the same, but slower or not whole. */
  notes: z.array(z.string()),
  postgres_version: z.string().nullable(),
  postgis_version: z.string().nullable(),
  migrations_applied: z.number().int(),
  /** The triage index of this process: while it is not `ready`, the database answers, more slowly. */
  triage_index: z.enum(['ready', 'loading', 'off']),
});
export type Ready = z.infer<typeof readySchema>;

/** `GET /api/depth`: entries not resolved, now, by task, class and state. */
export const depthSchema = z.object({
  as_of: z.string(),
  depth: z.number().int(),
  by: z.array(
    z.object({
      queue: z.string(),
      task_name: z.string(),
      failure_class: z.string(),
      state: z.string(),
      count: z.number().int(),
      /** The oldest failure among them. */
      oldest_failed_at: z.string(),
    }),
  ),
});
export type Depth = z.infer<typeof depthSchema>;
