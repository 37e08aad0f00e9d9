import { columnText } from './error-evidence';
import type { CapturePayload } from './options';
import { jsonText } from './params-json';

type FieldText = (value: unknown) => string | undefined;

/** Text of at most so many characters: the contract's limits, over which the server would refuse the whole capture. */
export const textTo =
  (most: number): FieldText =>
  (value) => {
    if (typeof value !== 'string' || value === '') return undefined;
    const written = columnText(value);
    return written.length <= most ? JSON.stringify(written) : undefined;
  };
const text = textTo(Number.POSITIVE_INFINITY);
const integer: FieldText = (value) => (Number.isSafeInteger(value) ? String(value) : undefined);
const flag: FieldText = (value) => (typeof value === 'boolean' ? String(value) : undefined);
const json: FieldText = (value) => jsonText(value).text;

/** How a field is written; a value that its field cannot hold is kept in params under `$unfit` instead of being lost. */
export const FIELDS: readonly (readonly [keyof CapturePayload, FieldText])[] = [
  ['queue', textTo(200)],
  ['task_id', textTo(2000)],
  ['geom_hash', textTo(500)],
  ['srid', integer],
  ['src_crs', (value) => (typeof value === 'string' ? JSON.stringify(columnText(value)) : crsObject(value))],
  [
    'tile_z',
    (value) =>
      Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= 32767 ? String(value) : undefined,
  ],
  ['tile_x', integer],
  ['tile_y', integer],
  ['tile_matrix_set', textTo(200)],
  ['source_uris', (value) => (isTexts(value) ? json(value.map(columnText)) : undefined)],
  ['source_window', windowText],
  ['nodata', (value) => (typeof value === 'number' ? JSON.stringify(String(value)) : text(value))],
  ['target_crs', text],
  ['failure_class', textTo(200)],
  ['error_class', (value) => (value === 'transient' || value === 'fatal' ? `"${value}"` : undefined)],
  ['code_version', textTo(500)],
  ['run_id', textTo(500)],
  ['failed_at', (value) => (typeof value === 'string' ? dateText(value) : undefined)],
  ['attempt_id', (value) => (isUuid(value) ? `"${value}"` : undefined)],
  ['sensitive', flag],
];

/** Members that a capture writes by other means than a field's text. */
const APART = ['work_key', 'task_name', 'geometry', 'params', 'payload_ref'];
export const MEMBERS: ReadonlySet<string> = new Set([...FIELDS.map(([name]) => name), ...APART]);

export function isUuid(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i.test(value)
  );
}

/** ISO 8601 as the contract reads it, which has years of four digits; undefined for another moment. */
export function isoTime(at: Date): string | undefined {
  const told = at.toISOString();
  return /^\d{4}-/.test(told) ? told : undefined;
}

function dateText(value: string): string | undefined {
  const at = new Date(value);
  const told = Number.isFinite(at.getTime()) ? isoTime(at) : undefined;
  return told === undefined ? undefined : JSON.stringify(told);
}

function crsObject(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : undefined;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const written = jsonText(value).text;
  return written.startsWith('{') ? written : undefined;
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

function windowText(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const names = ['col_off', 'row_off', 'width', 'height'] as const;
  if (Object.keys(value).length !== names.length) return undefined;
  const numbers = names.map((name) => Reflect.get(value, name));
  if (!numbers.every(Number.isFinite)) return undefined;
  return `{${names.map((name, i) => `"${name}":${numbers[i]}`).join(',')}}`;
}
