import { z } from 'zod';

/**
 * One capture as a writer sends it: `POST /api/dead-letters` (JSON), each line of NDJSON, and each line of a spool file.
 * Only `work_key` and `task_name` are demanded. The geometry comes as one of `geom_wkb` (hex or base64, kept byte for
 * byte), `geom_wkt`, `geom_geojson`. Unknown members are refused by name so that a misspelt field is never lost in silence.
 */
export const captureSchema = z.strictObject({
  capture_id: z.uuid().optional(),
  queue: z.string().min(1).max(200).default('default'),
  work_key: z.string().min(1).max(2000),
  task_name: z.string().min(1).max(500),
  task_id: z.string().max(2000).nullish(),
  geom_hash: z.string().max(500).nullish(),
  geom_wkb: z.string().nullish(),
  geom_wkt: z.string().nullish(),
  geom_geojson: z.unknown().optional(),
  srid: z.number().int().nullish(),
  /** What the source claimed, verbatim; any text, an object (PROJJSON) or a number. */
  src_crs: z.union([z.string(), z.number(), z.record(z.string(), z.unknown())]).nullish(),
  tile_z: z.number().int().min(0).max(32767).nullish(),
  tile_x: z.number().int().nullish(),
  tile_y: z.number().int().nullish(),
  tile_matrix_set: z.string().max(200).nullish(),
  source_uris: z.array(z.string()).nullish(),
  /** Pixel window of a raster task in the pixels of its source: never the pixels themselves. */
  source_window: z
    .strictObject({ col_off: z.number(), row_off: z.number(), width: z.number(), height: z.number() })
    .nullish(),
  nodata: z.union([z.string(), z.number()]).nullish(),
  target_crs: z.string().nullish(),
  params: z.unknown().optional(),
  /** Names a geometry in the blob store, for one over 1,000,000 bytes; instead of an inline one, never beside it. */
  payload_ref: z
    .string()
    .regex(/^sha256:[0-9a-f]{64}$/)
    .nullish(),
  /** What the blob of `payload_ref` holds, only beside it: WKB bytes (when missing), or the text of WKT or GeoJSON. */
  geom_format: z.enum(['wkb', 'wkt', 'geojson']).nullish(),
  /** Any word: one outside the vocabulary is stored as it came and never makes a capture fail. */
  failure_class: z.string().nullish(),
  error_class: z.enum(['transient', 'fatal']).nullish(),
  error_type: z.string().nullish(),
  error_text: z.string().nullish(),
  traceback: z.string().nullish(),
  code_version: z.string().max(500).nullish(),
  run_id: z.string().max(500).nullish(),
  /** ISO 8601; the moment of receipt when missing. */
  failed_at: z.iso.datetime({ offset: true }).nullish(),
  /** The redrive that this failure answers, when the pipeline was called by one. */
  attempt_id: z.uuid().nullish(),
  sensitive: z.boolean().nullish(),
});
export type Capture = z.input<typeof captureSchema>;

export const CAPTURE_OUTCOMES = ['created', 'repeated', 'reopened', 'duplicate'] as const;

export const capturedSchema = z.object({
  id: z.string(),
  work_key: z.string(),
  attempts: z.number().int(),
  outcome: z.enum(CAPTURE_OUTCOMES),
});
export type Captured = z.infer<typeof capturedSchema>;

/** One NDJSON answer line: the result, or the 1-based line number with the reason. */
export const capturedLineSchema = z.union([
  capturedSchema,
  z.object({ line: z.number().int(), error: z.object({ code: z.string(), message: z.string() }) }),
]);
export type CapturedLine = z.infer<typeof capturedLineSchema>;
