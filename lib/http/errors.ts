import { sqlStateOf } from '@/db/sql-state';
import { isGivenUp } from '@/db/until-given-up';
import { DlqError, type ErrorBody, type ErrorCode } from '@/lib/contract/error';
import { FilterError } from '@/lib/contract/filter';

/** The one map from code to status. */
export const STATUS: Readonly<Record<ErrorCode, number>> = {
  bad_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  request_timeout: 408,
  conflict: 409,
  too_large: 413,
  unsupported_media_type: 415,
  unprocessable: 422,
  rate_limited: 429,
  database_unavailable: 503,
  storage_unavailable: 503,
  timeout: 504,
  internal: 500,
};

/** Seconds after which a client may ask again, by code; an error's own `details.retry_after_s` wins. */
const RETRY_AFTER_S: Partial<Record<ErrorCode, number>> = {
  rate_limited: 1,
  database_unavailable: 2,
  storage_unavailable: 5,
  timeout: 5,
};

const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT', // its socket is gone
]);

/**
 * SQLSTATE classes and codes of a database that cannot serve now: connection exceptions, out of resources (disk full,
 * too many connections), shutting down or starting, a standby, a database or a login that is not there.
 */
const UNAVAILABLE_STATE = /^(08...|53...|57P0[1-5]|25006|3D000|28...)$/;

/** SQLSTATEs of a value in the request that no column holds: NUL in text, a number out of range, a moment that is none. */
const UNFIT_VALUE = /^(22021|22P05|22P02|22003|22007|22008)$/;

const UNAVAILABLE_TEXT =
  /connection terminated|timeout exceeded when trying to connect|not queryable|after calling end on the pool/i;

/** An error and its causes, outermost first; a cause can lie in an AggregateError (both addresses of localhost refuse). */
function* chainOf(error: unknown, depth = 0): Generator<Error> {
  if (!(error instanceof Error) || depth > 8) return;
  yield error;
  if (error instanceof AggregateError) for (const one of error.errors) yield* chainOf(one, depth + 1);
  yield* chainOf(error.cause, depth + 1);
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** True where the database cannot be reached or cannot serve now, and waiting helps. */
export function isDatabaseUnavailable(error: unknown): boolean {
  for (const one of chainOf(error)) {
    const code = codeOf(one);
    if (UNREACHABLE.has(code) || UNAVAILABLE_STATE.test(code) || UNAVAILABLE_TEXT.test(one.message)) return true;
  }
  return false;
}

/** What an error is to a client. Text of errors that were not thrown on purpose never leaves the process. */
export function describeError(error: unknown): DlqError {
  if (error instanceof DlqError) return error;
  if (error instanceof FilterError) return new DlqError('bad_request', error.message, { parameter: error.parameter });
  if (isGivenUp(error)) return new DlqError('request_timeout', 'nobody waits for this answer any more');
  if (isDatabaseUnavailable(error))
    return new DlqError('database_unavailable', 'the database cannot be reached now; try again');
  const code = sqlStateOf(error);
  const query_timed_out =
    error instanceof Error && [...chainOf(error)].some((one) => /read timeout/i.test(one.message));
  if (code === '57014' || code === '55P03' || query_timed_out)
    return new DlqError('timeout', 'the database took too long; narrow the request or try again');
  if (code === '40001' || code === '40P01')
    return new DlqError('conflict', 'another change came in between; try again');
  if (UNFIT_VALUE.test(code))
    return new DlqError('bad_request', 'a value of the request is one that the database cannot hold', {
      sqlstate: code,
    });
  return new DlqError('internal', 'something went wrong here; the log has it under request_id');
}

/** The answer to an error: `{error: {code, message, details?}}` with the status of its code. */
export function errorResponse(error: DlqError, request_id: string): Response {
  const details = error.code === 'internal' ? { request_id } : error.details;
  const body: ErrorBody = {
    error: { code: error.code, message: error.message, ...(details === undefined ? {} : { details }) },
  };
  return Response.json(body, { status: STATUS[error.code], headers: headersOf(error) });
}

function headersOf({ code, details }: DlqError): Record<string, string> {
  if (code === 'unauthorized') return { 'www-authenticate': 'Bearer' };
  const told = (details as { retry_after_s?: unknown } | undefined)?.retry_after_s;
  const retry_after_s = typeof told === 'number' ? Math.max(1, Math.ceil(told)) : RETRY_AFTER_S[code];
  return retry_after_s === undefined ? {} : { 'retry-after': String(retry_after_s) };
}
