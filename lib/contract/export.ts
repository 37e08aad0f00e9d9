import { z } from 'zod';
import { listItemSchema } from './triage';

/** What the entries that match can be taken away as. */
export const EXPORT_FORMATS = ['csv', 'ndjson', 'geojson', 'fgb', 'parquet'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** One entry of an export: a row of CSV, the properties of a feature. A line of NDJSON is a capture. */
export const exportRowSchema = listItemSchema.omit({ position: true, error_text: true, version: true }).extend({
  run_id: z.string().nullable(),
  /** Whole. */
  error_text: z.string().nullable(),
  also: z.array(z.string()),
  crs_reason: z.string().nullable(),
  /** The CRS of the leading candidate; never applied by itself. */
  suggestion: z.string().nullable(),
  /** Of the position that the asker may see, in degrees. */
  lon: z.number().nullable(),
  lat: z.number().nullable(),
});
export type ExportRow = z.infer<typeof exportRowSchema>;

/** The columns of CSV, in their order; those of GeoJSON, FlatGeobuf and GeoParquet are the same. A list is written with spaces between. */
export const EXPORT_COLUMNS = [
  'id',
  'work_key',
  'given_key',
  'task_name',
  'queue',
  'state',
  'resolution',
  'failure_class',
  'error_class',
  'error_type',
  'error_text',
  'signature',
  'attempts',
  'reopen_count',
  'redrive_attempts',
  'max_redrives',
  'first_seen',
  'failed_at',
  'run_id',
  'code_version',
  'src_crs',
  'srid',
  'crs_verdict',
  'also',
  'crs_reason',
  'suggestion',
  'fault_codes',
  'fault_count',
  'unmappable_reason',
  'lon',
  'lat',
  'tile_distance_m',
] as const satisfies readonly (keyof ExportRow)[];
