import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import type { SendLimits, SendOptions, Taken } from './send';
import type { ServerState } from './server-state';
import { timeUp } from './within';

/** What one request brought. Lines without an answer have `reason`; `again`: the same may be taken later. */
export interface Posted {
  answers: (Taken | { refused: string; again: boolean })[];
  reason: string;
  again: boolean;
  is_away: boolean;
  /** No answer at all. */
  is_unreachable?: boolean;
  retry_after_ms?: number;
}

const PACK_OVER_BYTES = 8000;
/** Codes of a line's error that say nothing against the line. */
const TRANSIENT = new Set(['database_unavailable', 'timeout', 'rate_limited', 'internal']);
/** Statuses of a server, or of a proxy before it, that has too much to do or is not there. */
const AWAY = new Set([408, 429, 502, 503, 504]);

/** One request with these lines. Never rejects. */
export async function postLines(
  lines: readonly string[],
  options: SendOptions,
  limits: SendLimits,
  server: ServerState,
): Promise<Posted> {
  const text = limits.single ? (lines[0] ?? '') : `${lines.join('\n')}\n`;
  const left_ms = limits.until - performance.now();
  const packs = server.takes_gzip && text.length > PACK_OVER_BYTES;
  let response: Response;
  let answer: string;
  try {
    response = await fetch(new URL('/api/dead-letters', options.url), {
      method: 'POST',
      headers: {
        'content-type': limits.single ? 'application/json' : 'application/x-ndjson',
        ...(packs ? { 'content-encoding': 'gzip' } : {}),
        ...(options.token ? { authorization: `Bearer ${options.token}` } : {}),
      },
      body: packs ? await promisify(gzip)(text, { level: constants.Z_BEST_SPEED }) : text,
      signal: timeUp(limits.single ? Math.min(left_ms, limits.answer_within_ms ?? left_ms) : left_ms),
    });
    answer = await response.text();
  } catch (error) {
    // Also when the answer broke off: whether the lines were stored is not known, and their capture_id decides.
    return { answers: [], reason: reasonOf(error), again: true, is_away: true, is_unreachable: true };
  }
  if (packs && response.status === 415) {
    server.takes_gzip = false;
    return postLines(lines, options, limits, server);
  }
  const reason = answered(response.status, answer);
  if (!response.ok) {
    const away = AWAY.has(response.status);
    const again = away || response.status >= 500;
    return { answers: [], reason, again, is_away: away, retry_after_ms: retryAfterMs(response) };
  }
  try {
    const answers = (limits.single ? [answer] : answer.trimEnd().split('\n')).map(answerOf);
    // Fewer answers than lines: the server broke off.
    return { answers: answers.slice(0, lines.length), reason: 'the answer broke off', again: true, is_away: false };
  } catch {
    return { answers: [], reason: `not an answer of this API: ${reason}`, again: false, is_away: false };
  }
}

function answerOf(text: string): Posted['answers'][number] {
  const answer: unknown = JSON.parse(text);
  if (typeof answer !== 'object' || answer === null) throw new SyntaxError('not an object');
  if ('id' in answer && 'work_key' in answer && 'attempts' in answer && 'outcome' in answer) {
    return {
      id: String(answer.id),
      work_key: String(answer.work_key),
      attempts: Number(answer.attempts),
      outcome: String(answer.outcome),
    };
  }
  const error: unknown = 'error' in answer ? answer.error : answer;
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
  return { refused: answered(200, JSON.stringify(error)), again: TRANSIENT.has(code) };
}

/** Seconds, or the date that RFC 9110 also allows. */
export function retryAfterMs(response: { headers: Headers }): number | undefined {
  const told = response.headers.get('retry-after');
  if (told === null) return undefined;
  const ms = /^\d+$/.test(told) ? Number(told) * 1000 : Date.parse(told) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}

/** An answer as part of a reason: without a semicolon, which parts a reason from the next. */
export function answered(status: number, text: string): string {
  return `HTTP ${status}: ${text.slice(0, 300).replaceAll(';', ',')}`;
}

export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
