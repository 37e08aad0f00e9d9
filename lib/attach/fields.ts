/**
 * Fields of a capture that a column can give, and of its row that the entry takes over. `params` is all of them in one
 * column, `param` one of them by the column's name.
 */
export const FIELDS = [
  'work_key',
  'task_name',
  'task_id',
  'geom_hash',
  'geom',
  'srid',
  'src_crs',
  'tile_z',
  'tile_x',
  'tile_y',
  'tile_matrix_set',
  'source_uris',
  'source_window',
  'nodata',
  'target_crs',
  'params',
  'param',
  'payload_ref',
  'failure_class',
  'error_class',
  'error_type',
  'error_text',
  'traceback',
  'code_version',
  'run_id',
  'sensitive',
  'failed_at',
  'first_seen',
  'attempts',
  'redriven_at',
  'resolved_at',
  'status',
] as const;
export type Field = (typeof FIELDS)[number];

const OTHER_NAMES: Partial<Record<Field, string[]>> = {
  geom: ['geom', 'geometry', 'the_geom', 'wkb_geometry', 'shape'],
  src_crs: ['src_crs', 'epsg'],
  params: ['params', 'payload'],
  param: [],
  error_text: ['error_text', 'error', 'error_message'],
  failed_at: ['failed_at', 'last_seen'],
};

/** The column names by which a field is recognised, the better one first: both documents' words. */
export const COLUMN_NAMES: [Field, string[]][] = FIELDS.map((field) => [field, OTHER_NAMES[field] ?? [field]]);

const TIME = /^(timestamp with(out)? time zone|date)$/;
const INTEGER = /^(smallint|integer|bigint)$/;
const TEXT = /^(text|character varying|character|"char"|name)$/;

/** Types whose values a field can hold without a cast of somebody else's. Texts take any type in its written form. */
const TYPES: Partial<Record<Field, (type: string) => boolean>> = {
  geom: (type) => ['geometry', 'geography', 'bytea'].includes(type),
  params: (type) => /^jsonb?$/.test(type) || TEXT.test(type),
  param: (type) => !/^(geometry|geography|bytea)$/.test(type),
  source_window: (type) => type === 'jsonb',
  source_uris: (type) => type === 'text[]' || TEXT.test(type),
  sensitive: (type) => type === 'boolean',
};
for (const field of ['failed_at', 'first_seen', 'redriven_at', 'resolved_at'] as const)
  TYPES[field] = (type) => TIME.test(type);
for (const field of ['srid', 'tile_z', 'tile_x', 'tile_y', 'attempts'] as const)
  TYPES[field] = (type) => INTEGER.test(type);

const isPlain = (type: string) => !/^(geometry|geography|bytea)$/.test(type);

export const typeFits = (field: Field, type: string): boolean => (TYPES[field] ?? isPlain)(type);
