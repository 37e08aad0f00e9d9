import { randomUUID } from 'node:crypto';
import type { ZodType } from 'zod';
import { type Db, getDb, getDbUntil, getIntakeDb } from '@/db/client';
import { getConfig } from '@/lib/config';
import type { Role } from '@/lib/dead-letter/vocabulary';
import { getLog } from '@/lib/log';
import { loggableError } from '@/lib/loggable-error';
import type { Actor } from './actor';
import { askerOf } from './asker-of';
import { describeError, errorResponse, STATUS } from './errors';
import { getIntakeGate, type Place, UNBOUNDED } from './intake-gate';
import { checkMayAsk } from './may-ask';
import { type BodyKind, type BodyOf, type BodyOptions, readBody } from './read-body';
import { routeName } from './route-name';
import { checkHost, checkOrigin, isWrite } from './same-site';
import { secure } from './security-headers';

export interface Context {
  db: Db;
  actor: Actor;
  request_id: string;
  /** Aborts when nobody waits for the answer any more; the database of a read then cancels by itself. */
  signal?: AbortSignal;
}

/** What the log has of every request. */
interface LogLine {
  request_id: string;
  method: string;
  route: string;
  token_id?: string;
}

interface RouteOptions<B extends BodyKind, S extends ZodType, T> extends BodyOptions<B, S> {
  /** The least role that may ask. */
  role: Role;
  /**
   * Takes in what pipelines send: a producer's token may ask, and no other route takes one; a write passes the gate,
   * and has database connections that reads do not use up.
   */
  intake?: boolean;
  /** Reads the query parameters; throws FilterError or DlqError. */
  search?: (search: URLSearchParams) => T;
}

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
    const line: LogLine = { request_id, method: request.method, route: routeName(request, raw_params) };
    let response: Response;
    try {
      response = toResponse(await answer(options, handler, request, textsOf(raw_params), request_id, line));
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
  line: LogLine,
): Promise<unknown> {
  checkHost(request, getConfig().hosts);
  if (isWrite(request.method)) checkOrigin(request);
  const actor = await askerOf(request);
  if (actor.producer) line.token_id = actor.producer.token_id;
  checkMayAsk(actor, options, request);
  const { searchParams } = new URL(request.url);
  // Without a reader the handler's T is URLSearchParams, its default.
  const search = options.search ? options.search(searchParams) : (searchParams as T);
  const write = options.intake === true && isWrite(request.method);
  const run = async (place: Place) => {
    const body = await readBody(options, request, place);
    const ctx = { db: dbFor(request, write), actor, request_id, signal: request.signal };
    return handler({ ctx, request, params, body, search });
  };
  return write ? getIntakeGate().pass(run) : run(UNBOUNDED);
}

/** A read ends with who waits for it; a write that has begun is brought to its end. */
function dbFor(request: Request, is_intake: boolean): Db {
  if (is_intake) return getIntakeDb();
  return isWrite(request.method) ? getDb() : getDbUntil(request.signal);
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
