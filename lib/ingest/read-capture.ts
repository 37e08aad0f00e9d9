import { createHash } from 'node:crypto';
import type { Proposal } from '@/db/queries/capture';
import { canonicalJson } from '@/lib/contract/canonical-json';
import { captureSchema } from '@/lib/contract/capture';
import { DlqError } from '@/lib/contract/error';
import { jsonbForm } from '@/lib/contract/jsonb-form';
import { rawMembers } from '@/lib/contract/raw-member';
import type { Producer } from '@/lib/contract/token';
import { queueWithinLimits } from '@/lib/tokens/within-limits';
import { nearestName } from './nearest-name';
import { readGeometry } from './read-geometry';
import { headAndTail, storableText } from './storable-text';

const KNOWN = new Set(Object.keys(captureSchema.shape));
/** In JSON text: an escape that may stand for what PostgreSQL cannot hold, or half of a surrogate pair as it is. */
const MAY_BE_UNSTORABLE = /\\u|[\ud800-\udfff]/;
const MAX_ERROR_TEXT = 16_000;
const MAX_TRACEBACK = 64_000;
const INT4_MAX = 2_147_483_647;

/**
 * Reads one capture from its JSON text. What a payload may hold is never a reason to refuse it; what cannot be
 * understood as a capture is refused.
 * @throws DlqError bad_request naming the member, its value and what to do; forbidden where the producer may not send it.
 */
export function readCapture(
  text: string,
  { via, capture_id, producer }: { via: string; capture_id?: string | null; producer?: Producer | null | undefined },
): Proposal {
  const given = parsedObject(text);
  const { members, repeated } = rawMembers(text);
  if (repeated.length > 0) throw new DlqError('bad_request', `“${cut(repeated[0])}” is given twice: send it once`);
  for (const name of members.keys()) if (!KNOWN.has(name)) throw unknownMember(name);
  given.src_crs = claimText(given.src_crs, members.get('src_crs'));
  if (typeof given.nodata === 'number') given.nodata = members.get('nodata');
  if (given.error_class !== 'transient' && given.error_class !== 'fatal') given.error_class = null;
  const parsed = captureSchema.safeParse(given);
  if (!parsed.success) throw refusal(parsed.error.issues[0], given);
  const capture = parsed.data;
  checkRanges(capture);
  checkCaptureId(capture_id, capture.capture_id);
  const { wkb, geom_given, geom_format, geom_error } = readGeometry(capture, members.get('geom_geojson'));
  const queue = given.queue === undefined ? undefined : capture.queue;
  const params_text = capture.params === undefined || capture.params === null ? undefined : members.get('params');
  // The parsed object is this function's own; a member set to undefined is not written, and costs less than a copy without it.
  const p: Record<string, unknown> = Object.assign(capture, {
    geom_given,
    geom_format,
    geom_error,
    given_hash: geom_given !== null && geom_format === 'geojson' && wkb ? canonicalHash(geom_given) : undefined,
    via,
    params: undefined,
  });
  p.geom_wkb = p.geom_wkt = p.geom_geojson = undefined;
  p.queue = queueWithinLimits(producer, { queue, task_name: capture.task_name }) ?? capture.queue;
  if (capture_id) p.capture_id = capture_id;
  if (capture.error_text) p.error_text = shortened(capture.error_text, MAX_ERROR_TEXT);
  if (capture.traceback) p.traceback = shortened(capture.traceback, MAX_TRACEBACK);
  const write = MAY_BE_UNSTORABLE.test(text) ? storableJson : JSON.stringify;
  return { p: withParams(p, params_text, write), wkb, work_key: storableText(capture.work_key) };
}

function parsedObject(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new DlqError(
      'bad_request',
      `not JSON: ${error instanceof Error ? error.message.slice(0, 200) : 'unreadable'}`,
    );
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new DlqError(
      'bad_request',
      `a capture is a JSON object, not ${cut(text)}; send several as application/x-ndjson`,
    );
  return value as Record<string, unknown>;
}

/** The claim verbatim: a text as it is, anything else (a number, PROJJSON) as it stood in the body. */
function claimText(value: unknown, raw: string | undefined): string | null | undefined {
  return value === null || value === undefined || typeof value === 'string' ? value : raw;
}

function withParams(p: Record<string, unknown>, params_text: string | undefined, write: (p: object) => string): string {
  if (params_text === undefined) return write(p);
  const form = jsonbForm(params_text);
  if (form.holds) return withMember(write(p), params_text);
  p.params_raw = Buffer.from(params_text, 'utf8').toString('base64');
  p.params_hash = canonicalHash(params_text);
  const written = write(p);
  return form.projection === null ? written : withMember(written, storableText(form.projection));
}

/**
 * As it stands, to the digit; as a text in the text it would be read twice. A copy of it: a part of a string keeps the whole
 * in memory, here the line with its geometry.
 */
function withMember(object: string, params_text: string): string {
  return `${object.slice(0, -1)},"params":${Buffer.from(params_text, 'utf8').toString('utf8')}}`;
}

/** What the payload's hash takes instead of a text whose members may come in any order. */
function canonicalHash(json_text: string): string {
  return createHash('sha256').update(canonicalJson(json_text)).digest('hex');
}

function storableJson(value: object): string {
  return JSON.stringify(value, (_key, member: unknown) => (typeof member === 'string' ? storableText(member) : member));
}

/** Head and tail; what is cut within a surrogate pair leaves half of it. */
function shortened(text: string, max: number): string {
  return text.length > max ? storableText(headAndTail(text, max)) : text;
}

/** The id from outside the text is a UUID, and is not another one than the text's own. */
function checkCaptureId(outer: string | null | undefined, inner: string | undefined): void {
  if (!outer) return;
  if (!captureSchema.shape.capture_id.safeParse(outer).success)
    throw new DlqError('bad_request', `the header Capture-Id “${cut(outer)}” is no UUID`);
  if (inner && outer.toLowerCase() !== inner.toLowerCase())
    throw new DlqError('bad_request', 'the header Capture-Id and capture_id differ: send one of them');
}

/** Columns are four-byte integers and a timestamptz, narrower than what the contract's types can say. */
function checkRanges(capture: Record<string, unknown>): void {
  for (const name of ['srid', 'tile_x', 'tile_y']) {
    const value = capture[name];
    if (typeof value === 'number' && Math.abs(value) > INT4_MAX)
      throw new DlqError('bad_request', `${name}: ${value} is no 32-bit integer`);
  }
  const failed_at = capture.failed_at;
  if (typeof failed_at !== 'string') return;
  const offset_h = Number(/[+-](\d\d):?\d\d$/.exec(failed_at)?.[1] ?? 0);
  if (failed_at.startsWith('0000') || offset_h > 15 || Number.isNaN(Date.parse(failed_at)))
    throw new DlqError(
      'bad_request',
      `failed_at: “${cut(failed_at)}” is no moment; send ISO 8601 like 2026-11-30T13:00:00Z`,
    );
}

function unknownMember(name: string): DlqError {
  const near = nearestName(name, [...KNOWN]);
  return new DlqError(
    'bad_request',
    `“${cut(name)}” is no member of a capture${near ? `; did you mean ${near}?` : '; put what the task needs into params'}`,
    { member: name.slice(0, 200) },
  );
}

function refusal(
  issue: { path: PropertyKey[]; message: string } | undefined,
  given: Record<string, unknown>,
): DlqError {
  const name = String(issue?.path[0] ?? '');
  if (!Object.hasOwn(given, name))
    return new DlqError('bad_request', `${name} is missing: every capture names it`, { member: name });
  const value = given[name];
  return new DlqError('bad_request', `${issue?.path.map(String).join('.')}: ${issue?.message}; it is ${cut(value)}`, {
    member: name,
  });
}

/** A value as a message may show it: short, on one line. Containers are named, not written out: they can be deep. */
function cut(value: unknown): string {
  const text =
    typeof value === 'object' && value !== null ? (Array.isArray(value) ? 'an array' : 'an object') : String(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
