import { z } from 'zod';
import { filterSchema } from './filter';

export const ACTIONS = ['redrive', 'abandon', 'quarantine', 'reopen'] as const;
export type Action = (typeof ACTIONS)[number];

/** Over this many entries the count has to be typed back (`confirm`). */
export const CONFIRM_OVER = 100;

/** The rest goes on when at least this share of a canary's answers is a success. */
export const CANARY_HOLDS = 0.8;

export const previewRequestSchema = z
  .strictObject({
    action: z.enum(ACTIONS),
    filter: filterSchema.optional(),
    ids: z
      .array(z.string().regex(/^\d{1,19}$/))
      .min(1)
      .max(10_000)
      .optional(),
  })
  .refine(
    (request) => (request.filter === undefined) !== (request.ids === undefined),
    'give a filter or ids, one of them',
  );
export type PreviewRequest = z.infer<typeof previewRequestSchema>;

export const skippedSchema = z.object({ reason: z.string(), detail: z.string().nullable(), count: z.number().int() });

export const previewSchema = z.object({
  preview_id: z.string(),
  /** What the operation will be called; its items can be listed already, the skipped ones too. */
  operation_id: z.string(),
  action: z.enum(ACTIONS),
  /** The whole frozen set: eligible and skipped. */
  matched: z.number().int(),
  eligible: z.number().int(),
  skipped: z.array(skippedSchema),
  sample: z.array(z.object({ id: z.string(), work_key: z.string(), task_name: z.string() })),
  targets: z.array(z.object({ task_name: z.string(), target: z.string(), count: z.number().int() })),
  frozen_at: z.string(),
  expires_at: z.string(),
});
export type Preview = z.infer<typeof previewSchema>;

export const startRequestSchema = z.strictObject({
  preview_id: z.uuid(),
  reason: z.string().trim().min(1, 'say why').max(2000),
  rate_per_s: z.number().positive().max(1000).optional(),
  /** Send this many first and wait for them. */
  canary: z.number().int().min(0).max(10_000).optional(),
  /** The eligible count, typed back; needed over 100. */
  confirm: z.number().int().optional(),
});
export type StartRequest = z.infer<typeof startRequestSchema>;

export const OPERATION_STATES = ['previewed', 'running', 'paused', 'cancelled', 'finished'] as const;

/** What became of an item. `waiting` and `in_flight` are not final; `skipped` carries its reason. */
export const ITEM_OUTCOMES = [
  'waiting',
  'in_flight',
  'accepted',
  'fixed',
  'failed_again',
  'rejected',
  'in_doubt',
  'applied',
  'skipped',
  'cancelled',
] as const;

export const operationSchema = z.object({
  id: z.string(),
  action: z.enum(ACTIONS),
  state: z.enum(OPERATION_STATES),
  actor: z.string(),
  reason: z.string().nullable(),
  filter: z.record(z.string(), z.unknown()).nullable(),
  rate_per_s: z.number().nullable(),
  canary: z.number().int().nullable(),
  eligible: z.number().int(),
  skipped: z.array(skippedSchema),
  outcomes: z.record(z.enum(ITEM_OUTCOMES), z.number().int()),
  frozen_at: z.string(),
  started_at: z.string().nullable(),
  finished_at: z.string().nullable(),
  paused_because: z.string().nullable(),
  as_of: z.string(),
});
export type Operation = z.infer<typeof operationSchema>;

export const operationItemSchema = z.object({
  entry_id: z.string(),
  work_key: z.string(),
  task_name: z.string(),
  outcome: z.enum(ITEM_OUTCOMES),
  detail: z.string().nullable(),
  attempt_id: z.string().nullable(),
  took_ms: z.number().nullable(),
  done_at: z.string().nullable(),
});
export type OperationItem = z.infer<typeof operationItemSchema>;
