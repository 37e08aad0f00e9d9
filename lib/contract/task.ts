import { z } from 'zod';
import { RESOLUTIONS, STATES } from '../dead-letter/vocabulary';

/** A task's manifest: which code versions it can rebuild faithfully, and what its params look like. */
export const manifestSchema = z.strictObject({
  code_versions: z.array(z.string().min(1)).min(1),
  /** JSON Schema of params. No default of it is ever filled in. */
  params_schema: z.record(z.string(), z.unknown()),
  /** The configured name of a target (never a URL). */
  target: z.string().min(1).max(200).nullish(),
  /** True where the target recognises a repeated Idempotency-Key and does not run it twice. */
  idempotent: z.boolean().default(false),
  /** True where the target fetches a geometry of over 8 MB from `payload_url`: it is not in the request then. */
  takes_references: z.boolean().default(false),
  owner: z.string().max(200).nullish(),
});
export type Manifest = z.infer<typeof manifestSchema>;

/** A registered task: its manifest, and who registered it when. */
export const taskSchema = z.object({
  ...manifestSchema.shape,
  task_name: z.string(),
  updated_at: z.string(),
  updated_by: z.string(),
});
export type Task = z.infer<typeof taskSchema>;

/** What a webhook target receives; header `Idempotency-Key` carries `idempotency_key`. */
export const redriveRequestSchema = z.object({
  attempt_id: z.uuid(),
  entry_id: z.string(),
  idempotency_key: z.string(),
  work_key: z.string(),
  queue: z.string(),
  task_name: z.string(),
  task_id: z.string().nullable(),
  code_version: z.string().nullable(),
  /**
   * Hex. Of a payload kept by reference too, up to 8 MB; of a larger one null, and only where the manifest says
   * `takes_references` is it sent at all: the target then fetches it from `payload_url`.
   */
  geom_wkb: z.string().nullable(),
  geom_given: z.string().nullable(),
  geom_format: z.string().nullable(),
  srid: z.number().nullable(),
  src_crs: z.string().nullable(),
  tile_z: z.number().nullable(),
  tile_x: z.number().nullable(),
  tile_y: z.number().nullable(),
  tile_matrix_set: z.string().nullable(),
  source_uris: z.array(z.string()).nullable(),
  source_window: z.record(z.string(), z.number()).nullable(),
  nodata: z.string().nullable(),
  target_crs: z.string().nullable(),
  params: z.unknown(),
  /** `sha256:` and the hash of the bytes at `payload_url`: the geometry as `geom_format` says. */
  payload_ref: z.string().nullable(),
  /** Where the bytes are: below DLO_PUBLIC_URL where that is set, else a path of this server. */
  payload_url: z.string().nullable(),
  payload_hash: z.string(),
  /** Who edited the payload by which change, before it was sent; null where it is as captured. */
  edited_by: z.string().nullable(),
});
export type RedriveRequest = z.infer<typeof redriveRequestSchema>;

/** A target's answer: 200 with this, 202 for "accepted, outcome follows", 4xx for a refusal. */
export const redriveAnswerSchema = z.object({
  outcome: z.enum(['succeeded', 'failed', 'accepted', 'rejected']),
  message: z.string().max(10_000).nullish(),
});
export type RedriveAnswer = z.infer<typeof redriveAnswerSchema>;

/** `POST /api/dead-letters/{id}/outcome`: the pipeline's later answer to a redrive. */
export const outcomeSchema = z.strictObject({
  attempt_id: z.uuid(),
  outcome: z.enum(['succeeded', 'failed']),
  message: z.string().max(10_000).nullish(),
});

/** Its answer; `applied` is false where the same outcome was known before. */
export const recordedOutcomeSchema = z.object({
  applied: z.boolean(),
  state: z.enum(STATES),
  resolution: z.enum(RESOLUTIONS).nullable(),
});

/** `POST /api/dead-letters/{id}/in-doubt`: a person's word on a redrive that nothing is known of. */
export const inDoubtSchema = z.strictObject({
  /** The version that the person saw. */
  version: z.string().regex(/^\d{1,18}$/),
  decision: z.enum(['happened', 'did_not']),
  reason: z.string().trim().min(1, 'say how you know').max(2000),
});
export type InDoubtDecision = z.infer<typeof inDoubtSchema>;

export const decidedSchema = z.object({ entry_id: z.string(), state: z.string(), version: z.string() });
