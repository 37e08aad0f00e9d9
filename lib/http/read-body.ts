import type { ZodType, z } from 'zod';
import { DlqError } from '@/lib/contract/error';
import { issueWords, shownValue } from '@/lib/contract/issue-words';
import type { Place } from './intake-gate';
import { parseJson } from './json-text';
import { mediaType, RequestBody } from './request-body';
import { isWrite } from './same-site';

/** `json`: parsed, and checked by `schema` where given. `ndjson`, `raw`: read by the handler. `none`: a body is ignored. */
export type BodyKind = 'json' | 'ndjson' | 'raw' | 'none';

const MEDIA_TYPES: Record<BodyKind, readonly string[]> = {
  json: ['application/json'],
  ndjson: ['application/x-ndjson'],
  raw: ['application/json', 'application/x-ndjson'],
  none: [],
};

const DEFAULT_MAX_BODY_BYTES = 2_000_000;

export interface BodyOptions<B extends BodyKind, S extends ZodType> {
  body?: B;
  schema?: S;
  /** A function where the environment says it: a build has none. */
  max_body_bytes?: number | (() => number);
  /** What a sender can do whose body is over that. */
  when_too_large?: string;
  /** Media types that `raw` takes, where they are not JSON and NDJSON. */
  media_types?: readonly string[];
}

export type BodyOf<B extends BodyKind, S extends ZodType> = B extends 'json'
  ? z.output<S>
  : B extends 'none'
    ? undefined
    : RequestBody;

/** The body as the handler takes it. @throws DlqError where it is of another type, too large or of another shape. */
export async function readBody<B extends BodyKind, S extends ZodType>(
  options: BodyOptions<B, S>,
  request: Request,
  place: Place,
): Promise<BodyOf<B, S>> {
  const kind: BodyKind = options.body ?? 'none';
  if (kind === 'none') {
    // A form of another site can send no JSON: what it can send is refused even where nothing is read.
    if (isWrite(request.method) && !['', 'application/json'].includes(mediaType(request)))
      throw new DlqError('unsupported_media_type', 'this takes no body, or one of application/json');
    return undefined as BodyOf<B, S>;
  }
  const taken = options.media_types ?? MEDIA_TYPES[kind];
  if (!taken.includes(mediaType(request)))
    throw new DlqError(
      'unsupported_media_type',
      `Content-Type “${mediaType(request).slice(0, 100)}” is not taken here; send ${taken.join(' or ')}`,
    );
  const { max_body_bytes = DEFAULT_MAX_BODY_BYTES, when_too_large } = options;
  const max_bytes = typeof max_body_bytes === 'function' ? max_body_bytes() : max_body_bytes;
  const body = new RequestBody(request, { max_bytes, ...(when_too_large ? { when_too_large } : {}) }, place);
  if (kind !== 'json') return body as BodyOf<B, S>;
  const value = parseJson(await body.text());
  if (!options.schema) return value as BodyOf<B, S>;
  const parsed = options.schema.safeParse(value);
  if (parsed.success) return parsed.data as BodyOf<B, S>;
  const issues = parsed.error.issues.map((issue) => ({
    path: issue.path.map(String).join('.'),
    message: `${issueWords(issue)}; it is ${shownValue(valueAt(value, issue.path))}`,
  }));
  const first = issues[0];
  throw new DlqError('bad_request', `${first?.path || 'the body'}: ${first?.message ?? 'refused'}`, issues);
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((at, key) => (Object(at) as Record<PropertyKey, unknown>)[key], value);
}
