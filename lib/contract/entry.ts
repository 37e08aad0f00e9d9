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
  /** The payload that this event made the current one, and by which change; null for a transition. */
  payload_hash: z.string().nullable(),
  change: z.string().nullable(),
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

/** A CRS under which the geometry would lie somewhere sensible. The fields after `equivalents` are absent in rows diagnosed before they were. */
export const candidateSchema = z.object({
  crs: z.string(),
  name: z.string(),
  swapped: z.boolean(),
  place: z.tuple([z.number(), z.number()]),
  score: z.number(),
  reason: z.string(),
  equivalents: z.array(z.string()),
  /** A lost sign put back: the axis is multiplied by it before it is read, after a swap. */
  x_sign: z.union([z.literal(1), z.literal(-1)]).nullish(),
  y_sign: z.union([z.literal(1), z.literal(-1)]).nullish(),
  /** Share (0–1) of the sample inside the tile or where siblings lie; null where neither is known. */
  in_prior: z.number().nullish(),
  to_tile_m: z.number().nullish(),
  /** Degrees from north, from the candidate's place to the tile. */
  to_tile_bearing: z.number().nullish(),
});
export type Candidate = z.infer<typeof candidateSchema>;

/** What the registry says of the claimed CRS (of a compound one: of its horizontal part). */
export const claimSchema = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.string(),
  deprecated: z.boolean(),
  /** Ids of what the registry gives in its place. */
  replacements: z.array(z.string()),
  /** As the registry defines it: a hypothesis about the stored x,y, never a verdict. */
  axis_order: z.string().nullable(),
  unit: z.string().nullable(),
  method: z.string().nullable(),
  area_name: z.string().nullable(),
});
export type Claim = z.infer<typeof claimSchema>;

/** How to follow the cursor between the panes: proj4's definition, and how far it was from the database's PROJ here. */
export const cursorLinkSchema = z.object({
  /** A proj4 definition; x,y in source units ↔ lon,lat in EPSG:4326. */
  proj: z.string(),
  /** Number of this entry's own vertices that were compared. */
  checked: z.number().int(),
  max_error_m: z.number(),
});
export type CursorLink = z.infer<typeof cursorLinkSchema>;

export const evidenceSchema = z.object({
  id: z.string(),
  /** Hex of the bytes as stored; null where there are none here (see geom_bytes_at and geom_omitted). */
  geom_wkb: z.string().nullable(),
  /** Where the bytes as stored can be had (a path on this server) when they are too many to be hex in this answer. */
  geom_bytes_at: z.string().nullable(),
  /** Why a geometry that exists is neither in this answer nor at a path: too large, its blob missing or damaged, or no geometry. */
  geom_omitted: z.string().nullish(),
  valid: z.boolean().nullable(),
  mappable: z.boolean(),
  unmappable_reason: z.string().nullable(),
  faults: z.array(faultSchema),
  /** The first verdict that holds, in the order of precedence. */
  crs_verdict: z.string().nullable(),
  /** The others that hold. */
  also: z.array(z.string()),
  crs_reason: z.string().nullable(),
  candidates: z.array(candidateSchema),
  suggestion: z.string().nullable(),
  claim: claimSchema.nullable(),
  /** [west, south, east, north] of the claimed CRS in degrees; west > east crosses 180°. */
  area_of_use: z.tuple([z.number(), z.number(), z.number(), z.number()]).nullable(),
  /** The outline of area_of_use in source units, x,y, by the database's PROJ; what it cannot place is left out. */
  area_of_use_source: z.array(z.tuple([z.number(), z.number()])).nullable(),
  cursor_link: cursorLinkSchema.nullable(),
  /** In words, why there is no cursor_link. */
  cursor_link_reason: z.string().nullable(),
  /** Hex EWKB in EPSG:4326, by the database's PROJ. */
  reprojected_wkb: z.string().nullable(),
  /** Where the reprojection can be had as binary EWKB when it is too large to be hex in this answer. */
  reprojected_at: z.string().nullable(),
  reproject_error: z.string().nullable(),
  diagnosed_at: z.string().nullable(),
});
export type Evidence = z.infer<typeof evidenceSchema>;

/** The entry's geometry read as if it were in another CRS, by the database's PROJ. */
export const ghostSchema = z.object({
  crs: z.string(),
  swapped: z.boolean(),
  x_sign: z.union([z.literal(1), z.literal(-1)]),
  y_sign: z.union([z.literal(1), z.literal(-1)]),
  /** What is drawn: the whole geometry, a simplified one, or only the outline of its extent, for one of too many vertices. */
  shown: z.enum(['whole', 'simplified', 'outline']).nullable(),
  /** Hex EWKB in EPSG:4326. */
  reprojected_wkb: z.string().nullable(),
  /** In words, why there is nothing to draw. */
  error: z.string().nullable(),
});
export type Ghost = z.infer<typeof ghostSchema>;
