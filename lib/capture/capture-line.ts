import { createHash, randomUUID } from 'node:crypto';
import { classified } from './classify';
import { codeVersion } from './code-version';
import { columnText, errorEvidence } from './error-evidence';
import { geometryFields } from './geometry';
import type { CaptureOptions, CapturePayload } from './options';
import { type JsonText, jsonText } from './params-json';

/** One capture as it is sent: `line` is JSON without a line break, and names its own `capture_id`. */
export interface CaptureLine {
  capture_id: string;
  line: string;
}

type FieldText = (value: unknown) => string | undefined;

/** Text of at most so many characters: the contract's limits, over which the server would refuse the whole capture. */
const textTo =
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
const FIELDS: readonly (readonly [keyof CapturePayload, FieldText])[] = [
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
  [
    'payload_ref',
    (value) => (typeof value === 'string' && /^sha256:[0-9a-f]{64}$/.test(value) ? `"${value}"` : undefined),
  ],
  ['failure_class', textTo(200)],
  ['error_class', (value) => (value === 'transient' || value === 'fatal' ? `"${value}"` : undefined)],
  ['code_version', textTo(500)],
  ['run_id', textTo(500)],
  ['failed_at', (value) => (typeof value === 'string' ? dateText(value) : undefined)],
  ['attempt_id', (value) => (typeof value === 'string' && UUID.test(value) ? `"${value}"` : undefined)],
  ['sensitive', flag],
];

function captureId(given: CaptureOptions['capture_id']): string {
  try {
    const id = given?.();
    if (id !== undefined && UUID.test(id)) return id;
  } catch {
    // a capture never fails for its options' sake
  }
  return randomUUID();
}

/** ISO 8601 as the contract reads it has years of four digits. */
const YEAR = /^\d{4}-/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;
const KNOWN = new Set<string>([...FIELDS.map(([name]) => name), 'work_key', 'task_name', 'geometry', 'params']);

/**
 * The capture of one failure. Total: any payload gives a line, and whatever could not be written as it is has its name
 * in params (`$replaced`: JSON Pointer → what it was; `$unfit`: members that no field of the contract can hold).
 * A payload without a work_key gets one derived from its content, so that the same failure meets the same entry.
 */
export function captureLine(error: unknown, payload: unknown, options: CaptureOptions, taskName: string): CaptureLine {
  const capture_id = captureId(options.capture_id);
  const unfit: Record<string, unknown> = {};
  const given = membersOf(payload, unfit);
  const claimed = given.failure_class;
  const defaults = {
    ...classified(error, typeof claimed === 'string' && claimed !== '' ? () => claimed : options.classify),
    queue: options.queue,
    run_id: options.run_id,
    code_version: codeVersion(options.code_version),
    failed_at: failedAt(options.now),
  };
  const parts = [`"capture_id":"${capture_id}"`];
  for (const [name, fieldText] of FIELDS) {
    const value = given[name];
    const none = value === undefined || value === null || value === '';
    const written = none ? undefined : fieldText(value);
    if (!none && written === undefined) unfit[name] = value;
    const json = written ?? fieldText(defaults[name as keyof typeof defaults]);
    if (json !== undefined) parts.push(`"${name}":${json}`);
  }
  for (const name of Object.keys(given)) if (!KNOWN.has(name)) unfit[name] = given[name];
  const task = [given.task_name, taskName].map(textTo(500)).find((name) => name !== undefined);
  parts.push(`"task_name":${task ?? '"anonymous"'}`);

  const geometry = geometryFields(given.geometry);
  const geojson = geometry.geom_geojson === undefined ? undefined : jsonText(geometry.geom_geojson);
  if (geojson) parts.push(`"geom_geojson":${geojson.text}`);
  if (geometry.geom_wkb !== undefined) parts.push(`"geom_wkb":"${geometry.geom_wkb}"`);
  if (geometry.geom_wkt !== undefined) parts.push(`"geom_wkt":${JSON.stringify(columnText(geometry.geom_wkt))}`);

  const params = paramsText(given.params, geojson, unfit);
  if (params !== undefined) parts.push(`"params":${params}`);
  for (const [name, value] of Object.entries(errorEvidence(error))) parts.push(`"${name}":${JSON.stringify(value)}`);
  const key = workKey(given.work_key);
  parts.push(`"work_key":${textTo(2000)(key) ?? JSON.stringify(derivedKey(taskName, geometry, params, key))}`);
  return { capture_id, line: `{${parts.join(',')}}` };
}

/** The payload's members, each read once; one that throws is named and the others are kept. */
function membersOf(payload: unknown, unfit: Record<string, unknown>): Record<string, unknown> {
  const members: Record<string, unknown> = {};
  if (payload === null || payload === undefined) return members;
  if (typeof payload !== 'object') {
    unfit.payload = payload;
    return members;
  }
  try {
    for (const name of Object.keys(payload)) {
      try {
        members[name] = Reflect.get(payload, name);
      } catch (reason) {
        unfit[name] = `getter threw: ${String(reason)}`;
      }
    }
  } catch {
    unfit.payload = 'unreadable';
  }
  return members;
}

function paramsText(
  params: unknown,
  geojson: JsonText | undefined,
  unfit: Record<string, unknown>,
): string | undefined {
  const own = params === undefined ? undefined : jsonText(params);
  const reserved = own !== undefined && /"\$(replaced|unfit)":/.test(own.text);
  const notes: string[] = [];
  const replaced = { ...own?.replaced };
  for (const [path, was] of Object.entries(geojson?.replaced ?? {})) replaced[`geom_geojson:${path}`] = was;
  if (Object.keys(replaced).length > 0) notes.push(`"$replaced":${JSON.stringify(replaced)}`);
  if (Object.keys(unfit).length > 0) notes.push(`"$unfit":${jsonText(unfit).text}`);
  if (notes.length === 0) return own?.text;
  const body = own?.text ?? '{}';
  if (!body.startsWith('{') || reserved) return `{"$value":${body},${notes.join(',')}}`;
  return body === '{}' ? `{${notes.join(',')}}` : `${body.slice(0, -1)},${notes.join(',')}}`;
}

function workKey(key: unknown): unknown {
  return typeof key === 'number' || typeof key === 'bigint' ? String(key) : key;
}

/** From the key where there was one that is no key (too long, no text), else from the payload. */
function derivedKey(taskName: string, geometry: object, params: string | undefined, key: unknown): string {
  const of = key === undefined || key === null || key === '' ? [geometry, params ?? ''] : [key];
  const hash = createHash('sha256').update(jsonText(of).text).digest('hex');
  return `${columnText(taskName).slice(0, 500) || 'anonymous'}/unkeyed/${hash.slice(0, 32)}`;
}

function failedAt(now: (() => Date) | undefined): string {
  try {
    const told = now?.().toISOString();
    if (told && YEAR.test(told)) return told;
  } catch {
    // A clock that fails is no reason to lose a capture.
  }
  return new Date().toISOString();
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
  const names = ['col_off', 'row_off', 'width', 'height'] as const;
  const window = membersOf(value, {});
  if (Object.keys(window).length !== names.length) return undefined;
  if (!names.every((name) => Number.isFinite(window[name]))) return undefined;
  return `{${names.map((name) => `"${name}":${window[name]}`).join(',')}}`;
}

function dateText(value: string): string | undefined {
  const at = new Date(value);
  return Number.isFinite(at.getTime()) && YEAR.test(at.toISOString()) ? JSON.stringify(at.toISOString()) : undefined;
}
