import type { Proposal } from '@/db/queries/capture';
import { captureSchema } from '@/lib/contract/capture';
import { DlqError } from '@/lib/contract/error';
import { jsonbForm } from '@/lib/contract/jsonb-form';
import { rawMembers } from '@/lib/contract/raw-member';
import type { Producer } from '@/lib/contract/token';
import { queueWithinLimits } from '@/lib/tokens/within-limits';
import { nearestName } from './nearest-name';
import { readGeometry } from './read-geometry';
import { headAndTail, storableText } from './storable-text';

const KNOWN = Object.keys(captureSchema.shape);
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
  for (const name of members.keys()) if (!KNOWN.includes(name)) throw unknownMember(name);
  const parsed = captureSchema.safeParse({
    ...given,
    src_crs: claimText(given.src_crs, members.get('src_crs')),
    nodata: typeof given.nodata === 'number' ? members.get('nodata') : given.nodata,
    error_class: given.error_class === 'transient' || given.error_class === 'fatal' ? given.error_class : null,
  });
  if (!parsed.success) throw refusal(parsed.error.issues[0], given);
  const capture = parsed.data;
  checkRanges(capture);
  checkCaptureId(capture_id, capture.capture_id);
  const { wkb, ...geometry } = readGeometry(capture, members.get('geom_geojson'));
  const { geom_wkb: _wkb, geom_wkt: _wkt, geom_geojson: _geojson, params, ...fields } = capture;
  const rest: Record<string, unknown> = { ...fields, ...geometry, via };
  const queue = given.queue === undefined ? undefined : capture.queue;
  rest.queue = queueWithinLimits(producer, { queue, task_name: capture.task_name }) ?? capture.queue;
  if (capture_id) rest.capture_id = capture_id;
  if (capture.error_text) rest.error_text = headAndTail(capture.error_text, MAX_ERROR_TEXT);
  if (capture.traceback) rest.traceback = headAndTail(capture.traceback, MAX_TRACEBACK);
  const params_text = params === undefined || params === null ? undefined : members.get('params');
  const p = withParams(rest, params_text);
  return { p, wkb, work_key: storableText(capture.work_key) };
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

function withParams(rest: Record<string, unknown>, params_text: string | undefined): string {
  const form = params_text === undefined ? null : jsonbForm(params_text);
  if (form?.holds) return stringified({ ...rest, params_text });
  if (!form || params_text === undefined) return stringified(rest);
  const p = stringified({ ...rest, params_raw: Buffer.from(params_text, 'utf8').toString('base64') });
  return form.projection === null ? p : `${p.slice(0, -1)},"params":${storableText(form.projection)}}`;
}

function stringified(value: Record<string, unknown>): string {
  return JSON.stringify(value, (_key, member: unknown) => (typeof member === 'string' ? storableText(member) : member));
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
  const near = nearestName(name, KNOWN);
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
