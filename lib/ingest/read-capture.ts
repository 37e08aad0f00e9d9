import { createHash } from 'node:crypto';
import type { Proposal } from '@/db/queries/capture';
import { canonicalJson } from '@/lib/contract/canonical-json';
import { captureSchema } from '@/lib/contract/capture';
import { DlqError } from '@/lib/contract/error';
import { type Issue, issueWords, shownValue } from '@/lib/contract/issue-words';
import { jsonProblem } from '@/lib/contract/json-problem';
import { jsonbForm } from '@/lib/contract/jsonb-form';
import { rawMembers } from '@/lib/contract/raw-member';
import type { Producer } from '@/lib/contract/token';
import { nearestName } from '@/lib/dead-letter/nearest-name';
import { queueWithinLimits } from '@/lib/tokens/within-limits';
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
  const given = parsedObject(text, via);
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

function parsedObject(text: string, via: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new DlqError('bad_request', jsonProblem(text, error));
  }
  if (Array.isArray(value))
    throw new DlqError(
      'bad_request',
      `a capture is one JSON object, not an array: write each on a line of its own, without [ ] and commas${via === 'spool' ? '' : ', and send them as application/x-ndjson'}`,
    );
  if (typeof value !== 'object' || value === null)
    throw new DlqError(
      'bad_request',
      `a capture is a JSON object like {"work_key": "parcels/1", "task_name": "reproject"}, not ${value === null ? 'null' : `a ${typeof value}`}`,
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
    throw new DlqError(
      'bad_request',
      `the header Capture-Id must be a UUID, like 7d444840-9dc0-4f3a-8f0a-2b1d1c0e5a77; it is ${shownValue(outer)}`,
    );
  if (inner && outer.toLowerCase() !== inner.toLowerCase())
    throw new DlqError('bad_request', 'the header Capture-Id and capture_id differ: send one of them');
}

/** Columns are four-byte integers and a timestamptz, narrower than what the contract's types can say. */
function checkRanges(capture: Record<string, unknown>): void {
  for (const name of ['srid', 'tile_x', 'tile_y']) {
    const value = capture[name];
    if (typeof value === 'number' && Math.abs(value) > INT4_MAX)
      throw new DlqError(
        'bad_request',
        `${name}: must be a whole number from −2,147,483,648 to 2,147,483,647, like ${EXAMPLES[name]}; it is ${value}`,
      );
  }
  const failed_at = capture.failed_at;
  if (typeof failed_at !== 'string') return;
  const offset_h = Number(/[+-](\d\d):?\d\d$/.exec(failed_at)?.[1] ?? 0);
  if (failed_at.startsWith('0000') || offset_h > 15 || Number.isNaN(Date.parse(failed_at)))
    throw new DlqError(
      'bad_request',
      `failed_at: must be a moment in ISO 8601 with its zone, like 2026-11-30T13:00:00Z; it is ${shownValue(failed_at)}`,
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

/** Right values to show; a member that is not here says all by what it must be. */
const EXAMPLES: Record<string, string> = {
  queue: '"production"',
  work_key: '"parcels/39/035/88213"',
  task_name: '"reproject_parcels"',
  geom_wkb: '"0101000000…", hex or base64',
  geom_wkt: '"POINT(-81.69 41.5)"',
  srid: '4326',
  src_crs: '"EPSG:4326"',
  tile_z: '14',
  tile_x: '4469',
  tile_y: '6114',
  source_uris: '["s3://bucket/scene.tif"]',
  source_window: '{"col_off": 0, "row_off": 0, "width": 512, "height": 512}',
  payload_ref: '"sha256:" and 64 hex digits in lower case',
  sensitive: 'true',
};
/** Members whose text can be the payload, or speak of it. */
const HIDDEN = /^(geom_|params|payload_ref|error_text|traceback|source_uris)/;

/** The member, what it must be, what it is, an example, and whose capture it is. */
function refusal(issue: Issue | undefined, given: Record<string, unknown>): DlqError {
  const name = String(issue?.path[0] ?? '');
  const of =
    name !== 'work_key' && typeof given.work_key === 'string' ? ` (work_key ${shownValue(given.work_key)})` : '';
  const example = Object.hasOwn(EXAMPLES, name) ? `, like ${EXAMPLES[name]}` : '';
  if (!issue || !Object.hasOwn(given, name))
    return new DlqError('bad_request', `${name} is missing: every capture names it${example}${of}`, { member: name });
  const found = issue.path.reduce<unknown>((at, key) => (Object(at) as Record<PropertyKey, unknown>)[key], given);
  const shown = HIDDEN.test(name) && typeof found === 'string' ? 'another text' : shownValue(found);
  const at = issue.path.map(String).join('.');
  return new DlqError('bad_request', `${at}: ${issueWords(issue)}${example}; it is ${shown}${of}`, { member: name });
}

/** A value as a message may show it: short, on one line. Containers are named, not written out: they can be deep. */
function cut(value: unknown): string {
  const text =
    typeof value === 'object' && value !== null ? (Array.isArray(value) ? 'an array' : 'an object') : String(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
