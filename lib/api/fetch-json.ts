import type { z } from 'zod';
import { errorSchema } from '../contract/error';
import { ApiError } from './api-error';

export interface Request {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Sent as JSON. */
  body?: unknown;
  signal?: AbortSignal;
}

/**
 * Asks the server and checks its answer against the contract's schema.
 * @param path of the same origin, e.g. `/api/triage?state=open`.
 * @throws ApiError with the server's code, or `network`, or `bad_answer`; an aborted request throws its abort reason.
 */
export async function fetchJson<Schema extends z.ZodType>(
  schema: Schema,
  path: string,
  { method = 'GET', body, signal }: Request = {},
): Promise<z.output<Schema>> {
  const response = await ask(path, {
    method,
    signal: signal ?? null,
    headers: { accept: 'application/json', ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer = await readBody(response, signal);
  if (!response.ok) throw problemOf(response, answer);
  const parsed = schema.safeParse(answer);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new ApiError(
    'bad_answer',
    `the answer to ${path} does not follow the contract at ${issue?.path.join('.') || 'its root'}: ${issue?.message}`,
    response.status,
    parsed.error.issues,
  );
}

/** @throws ApiError `network`; an aborted request its abort reason. */
export async function ask(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(path, init);
  } catch (error) {
    throw lost(error, init.signal ?? undefined);
  }
}

/** The parsed body, or undefined where it is no JSON: a proxy's error page, an empty answer. */
async function readBody(response: Response, signal: AbortSignal | undefined): Promise<unknown> {
  let text: string;
  try {
    text = await response.text();
  } catch (error) {
    throw lost(error, signal);
  }
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What a request that broke off throws. */
export function lost(error: unknown, signal: AbortSignal | undefined): unknown {
  return signal?.aborted ? error : new ApiError('network', 'the server cannot be reached', 0, String(error));
}

/** The error that an answer other than 2xx states. */
export async function errorOf(response: Response, signal: AbortSignal | undefined): Promise<ApiError> {
  return problemOf(response, await readBody(response, signal));
}

function problemOf(response: Response, answer: unknown): ApiError {
  const parsed = errorSchema.safeParse(answer);
  if (!parsed.success)
    return new ApiError('bad_answer', `the server answered ${response.status} without saying why`, response.status);
  const { code, message, details } = parsed.data.error;
  return new ApiError(code, message, response.status, details);
}
