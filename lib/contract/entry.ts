import { z } from 'zod';
import { listItemSchema } from './triage';

/** How a geometry can be taken away: the bytes as stored, or text in source units where that is faithful. */
export const GEOMETRY_FORMATS = ['wkb', 'wkt', 'geojson'] as const;
export type GeometryFormat = (typeof GEOMETRY_FORMATS)[number];

/** A payload version as captured: evidence, immutable. */
export const payloadSchema = z.object({
  payload_hash: z.string(),
  geom_given: z.string().nullable(),
  geom_format: z.string().nullable(),
  geom_error: z.string().nullable(),
  geom_bytes: z.number().int().nullable(),
  geom_type: z.string().nullable(),
  srid: z.number().int().nullable(),
  src_crs: z.string().nullable(),
  tile_z: z.number().int().nullable(),
  tile_x: z.number().int().nullable(),
  tile_y: z.number().int().nullable(),
  tile_matrix_set: z.string().nullable(),
  source_uris: z.array(z.string()).nullable(),
  source_window: z.record(z.string(), z.number()).nullable(),
  nodata: z.string().nullable(),
  target_crs: z.string().nullable(),
  /** The params as JSON text, byte for byte as given where jsonb could not hold them. */
  params_text: z.string().nullable(),
  params_exact: z.boolean(),
  payload_ref: z.string().nullable(),
  /** Size of what payload_ref names; null where it is not in the blob store. */
  blob_bytes: z.number().int().nullable(),
  edited_by: z.string().nullable(),
  captured_at: z.string(),
});
export type Payload = z.infer<typeof payloadSchema>;

export const occurrenceSchema = z.object({
  capture_id: z.string(),
  payload_hash: z.string(),
  failed_at: z.string(),
  received_at: z.string(),
  via: z.string(),
  attempt_id: z.string().nullable(),
  code_version: z.string().nullable(),
  failure_class: z.string(),
  error_type: z.string().nullable(),
  error_text: z.string().nullable(),
});

export const eventSchema = z.object({
  id: z.string(),
  at: z.string(),
  from_state: z.string().nullable(),
  to_state: z.string(),
  resolution: z.string().nullable(),
  actor: z.string(),
  reason: z.string().nullable(),
  attempt_id: z.string().nullable(),
  operation_id: z.string().nullable(),
});

export const redriveSchema = z.object({
  attempt_id: z.string(),
  operation_id: z.string().nullable(),
  target: z.string(),
  claimed_at: z.string(),
  sent_at: z.string().nullable(),
  acked_at: z.string().nullable(),
  ended_at: z.string().nullable(),
  outcome: z.string().nullable(),
  answer: z.string().nullable(),
});

/** Can this entry be rebuilt faithfully, and if not, why not. */
export const faithfulnessSchema = z.object({
  faithful: z.boolean(),
  /** e.g. no_manifest, unknown_code_version, missing_param, extra_param, invalid_param, no_payload, no_target. */
  reason: z.string().nullable(),
  /** In words, naming the param or version. */
  detail: z.string().nullable(),
});
export type Faithfulness = z.infer<typeof faithfulnessSchema>;

export const entrySchema = listItemSchema.extend({
  idempotency_key: z.string(),
  task_id: z.string().nullable(),
  geom_hash: z.string().nullable(),
  run_id: z.string().nullable(),
  error_text: z.string().nullable(),
  traceback: z.string().nullable(),
  failure_class_claimed: z.string().nullable(),
  classified_by: z.string(),
  via: z.string(),
  sensitive: z.boolean(),
  redriven_at: z.string().nullable(),
  resolved_at: z.string().nullable(),
  resolution_reason: z.string().nullable(),
  redrive_total: z.number().int(),
  /** Failures among `attempts` of which only the number is known: an attached table counted them before it was attached. */
  attempts_before: z.number().int(),
  /** The tables that counted them, by name; null where attempts_before is 0. */
  attempts_before_by: z.string().nullable(),
  attempt_id: z.string().nullable(),
  payload: payloadSchema,
  /** Every version of the payload, newest first. */
  payloads: z.array(payloadSchema),
  occurrences: z.array(occurrenceSchema),
  events: z.array(eventSchema),
  redrives: z.array(redriveSchema),
  /** Code versions in which the task failed before and after this entry's, by first capture. */
  versions: z.array(
    z.object({ code_version: z.string(), first_seen: z.string(), failed_at: z.string(), entries: z.number().int() }),
  ),
  manifest: z
    .object({
      code_versions: z.array(z.string()),
      knows_version: z.boolean(),
      target: z.string().nullable(),
      owner: z.string().nullable(),
    })
    .nullable(),
  faithfulness: faithfulnessSchema,
  /** What a redrive would send: headers and body, or null where there is nothing to send. */
  would_send: z.object({ headers: z.record(z.string(), z.string()), body: z.string() }).nullable(),
});
export type Entry = z.infer<typeof entrySchema>;

export const faultSchema = z.object({
  code: z.string(),
  path: z.array(z.number().int()).nullable(),
  at: z.tuple([z.number(), z.number()]).nullable(),
  message: z.string(),
  severity: z.enum(['fails', 'note']),
});
export type Fault = z.infer<typeof faultSchema>;

export const evidenceSchema = z.object({
  id: z.string(),
  /** Hex of the bytes as stored; null where there are none here (see geom_omitted). */
  geom_wkb: z.string().nullable(),
  /** Why a geometry that exists is not in this answer: too large, its blob missing or damaged, or no geometry. */
  geom_omitted: z.string().nullish(),
  valid: z.boolean().nullable(),
  mappable: z.boolean(),
  unmappable_reason: z.string().nullable(),
  faults: z.array(faultSchema),
  crs_verdict: z.string().nullable(),
  crs_reason: z.string().nullable(),
  candidates: z.array(
    z.object({
      crs: z.string(),
      name: z.string(),
      swapped: z.boolean(),
      place: z.tuple([z.number(), z.number()]),
      score: z.number(),
      reason: z.string(),
      equivalents: z.array(z.string()),
    }),
  ),
  suggestion: z.string().nullable(),
  area_of_use: z.tuple([z.number(), z.number(), z.number(), z.number()]).nullable(),
  /** Hex EWKB in EPSG:4326, by the database's PROJ. */
  reprojected_wkb: z.string().nullable(),
  reproject_error: z.string().nullable(),
  diagnosed_at: z.string().nullable(),
});
export type Evidence = z.infer<typeof evidenceSchema>;
