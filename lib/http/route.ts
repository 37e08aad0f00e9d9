import { randomUUID } from 'node:crypto';
import type { ZodType, z } from 'zod';
import { type Db, getDb } from '@/db/client';
import { getConfig } from '@/lib/config';
import { DlqError } from '@/lib/contract/error';
import type { Role } from '@/lib/dead-letter/vocabulary';
import { getLog } from '@/lib/log';
import { loggableError } from '@/lib/loggable-error';
import { type Actor, actorOf, mayAct } from './actor';
import { describeError, errorResponse, STATUS } from './errors';
import { parseJson } from './json-text';
import { mediaType, RequestBody } from './request-body';
import { routeName } from './route-name';
import { checkHost, checkOrigin, isWrite } from './same-site';
import { secure } from './security-headers';

export interface Context {
  db: Db;
  actor: Actor;
  request_id: string;
}

/** `json`: parsed, and checked by `schema` where given. `ndjson`, `raw`: read by the handler. `none`: a body is ignored. */
export type BodyKind = 'json' | 'ndjson' | 'raw' | 'none';

const MEDIA_TYPES: Record<BodyKind, readonly string[]> = {
  json: ['application/json'],
  ndjson: ['application/x-ndjson'],
  raw: ['application/json', 'application/x-ndjson'],
  none: [],
};

const DEFAULT_MAX_BODY_BYTES = 2_000_000;

interface RouteOptions<B extends BodyKind, S extends ZodType, T> {
  /** The least role that may ask. */
  role: Role;
  body?: B;
  schema?: S;
  max_body_bytes?: number;
  /** Media types that `raw` takes, where they are not JSON and NDJSON. */
  media_types?: readonly string[];
  /** Reads the query parameters; throws FilterError or DlqError. */
  search?: (search: URLSearchParams) => T;
}

export type BodyOf<B extends BodyKind, S extends ZodType> = B extends 'json'
  ? z.output<S>
  : B extends 'none'
    ? undefined
    : RequestBody;

export interface HandlerInput<B extends BodyKind, S extends ZodType, T> {
  ctx: Context;
  request: Request;
  params: Record<string, string>;
  body: BodyOf<B, S>;
  search: T;
}

/** What Next calls: `params` are those of the folder names. */
export type RouteHandler = (request: Request, context?: { params: Promise<RawParams> }) => Promise<Response>;

/** As Next gives them; only a catch-all folder's is a list. */
export type RawParams = Record<string, string | string[] | undefined>;

/**
 * The one wrapper of every handler: Host, who asks, role, origin of writes, media type, size, parsed input; then the
 * handler, whose value becomes JSON (a Response is passed on); then errors to status, headers and one log line.
 */
export function route<B extends BodyKind = 'none', S extends ZodType = ZodType<unknown>, T = URLSearchParams>(
  options: RouteOptions<B, S, T>,
  handler: (input: HandlerInput<B, S, T>) => Promise<unknown>,
): RouteHandler {
  return async (request, context) => {
    const started = performance.now();
    const request_id = requestId(request);
    const raw_params = (await context?.params) ?? {};
    const log = getLog();
    const line = { request_id, method: request.method, route: routeName(request, raw_params) };
    let response: Response;
    try {
      response = toResponse(await answer(options, handler, request, textsOf(raw_params), request_id));
    } catch (error) {
      const described = describeError(error);
      if (STATUS[described.code] >= 500) {
        log.error({ ...line, code: described.code, error: loggableError(error) }, 'request failed');
      }
      response = errorResponse(described, request_id);
    }
    secure(response.headers, request_id);
    log.info({ ...line, status: response.status, ms: Math.round(performance.now() - started) }, 'request');
    return response;
  };
}

async function answer<B extends BodyKind, S extends ZodType, T>(
  options: RouteOptions<B, S, T>,
  handler: (input: HandlerInput<B, S, T>) => Promise<unknown>,
  request: Request,
  params: Record<string, string>,
  request_id: string,
): Promise<unknown> {
  checkHost(request, getConfig().hosts);
  if (isWrite(request.method)) checkOrigin(request);
  const actor = await actorOf(request);
  if (actor === null) throw new DlqError('unauthorized', 'sign in first');
  if (!mayAct(actor, options.role))
    throw new DlqError('forbidden', `this takes the role ${options.role}; ${actor.name} has ${actor.role}`);
  const { searchParams } = new URL(request.url);
  // Without a reader the handler's T is URLSearchParams, its default.
  const search = options.search ? options.search(searchParams) : (searchParams as T);
  const body = await readBody(options, request);
  return handler({ ctx: { db: getDb(), actor, request_id }, request, params, body, search });
}

async function readBody<B extends BodyKind, S extends ZodType, T>(
  options: RouteOptions<B, S, T>,
  request: Request,
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
  const body = new RequestBody(request, options.max_body_bytes ?? DEFAULT_MAX_BODY_BYTES);
  if (kind !== 'json') return body as BodyOf<B, S>;
  const value = parseJson(await body.text());
  if (!options.schema) return value as BodyOf<B, S>;
  const parsed = options.schema.safeParse(value);
  if (parsed.success) return parsed.data as BodyOf<B, S>;
  const issues = parsed.error.issues.map(({ path, message }) => ({ path: path.map(String).join('.'), message }));
  const first = issues[0];
  throw new DlqError(
    'bad_request',
    first?.path ? `${first.path}: ${first.message}` : (first?.message ?? 'refused'),
    issues,
  );
}

/** The caller's request id where it is a plain one, so that a proxy's log and ours can be joined; else a new one. */
function requestId(request: Request): string {
  const given = request.headers.get('x-request-id');
  return given !== null && /^[\w-]{8,64}$/.test(given) ? given : randomUUID();
}

function textsOf(params: RawParams): Record<string, string> {
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, [value ?? ''].flat().join('/')]));
}

function toResponse(value: unknown): Response {
  // Headers of a Response that fetch or Response.redirect made cannot be changed; a copy's can.
  if (value instanceof Response) return new Response(value.body, value);
  if (value === undefined) return new Response(null, { status: 204 });
  return Response.json(value);
}
