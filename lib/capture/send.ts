import type { CaptureOptions } from './options';

/** One answer of the server for one capture: what it stored, or why it refused. */
export type Answer = { id: string; work_key: string; attempts: number; outcome: string } | { refused: string };

export type SendOptions = Pick<CaptureOptions, 'url' | 'token' | 'timeout_ms'>;

export const DEFAULT_TIMEOUT_MS = 2000;
const FIRST_PAUSE_MS = 50;

/**
 * Posts lines (one as JSON, several as NDJSON) and answers them in order. Tried again with growing pauses until the
 * deadline where waiting may help (no connection, 429, 5xx): each line carries its capture_id, so a repeat counts once.
 * Throws with the last reason when the deadline passes or the server refuses the request as a whole.
 */
export async function send(lines: readonly string[], options: SendOptions, single: boolean): Promise<Answer[]> {
  const deadline = Date.now() + (options.timeout_ms ?? DEFAULT_TIMEOUT_MS);
  for (let pause = FIRST_PAUSE_MS; ; pause *= 3) {
    const tried = await once(lines, options, single, deadline - Date.now());
    if (tried.answers) return tried.answers;
    if (!tried.again || Date.now() + pause >= deadline) throw new Error(tried.reason);
    await new Promise((done) => setTimeout(done, pause));
  }
}

type Tried = { answers: Answer[] } | { answers?: undefined; again: boolean; reason: string };

async function once(lines: readonly string[], options: SendOptions, single: boolean, leftMs: number): Promise<Tried> {
  let body: string;
  let status: number;
  try {
    const response = await fetch(new URL('/api/dead-letters', options.url), {
      method: 'POST',
      headers: {
        'content-type': single ? 'application/json' : 'application/x-ndjson',
        ...(options.token ? { authorization: `Bearer ${options.token}` } : {}),
      },
      body: single ? lines[0] : `${lines.join('\n')}\n`,
      signal: AbortSignal.timeout(Math.max(1, leftMs)),
    });
    status = response.status;
    body = await response.text();
  } catch (error) {
    return { again: true, reason: reasonOf(error) };
  }
  if (status === 429 || status >= 500) return { again: true, reason: `HTTP ${status}: ${body.slice(0, 300)}` };
  if (status >= 400) return { again: false, reason: `HTTP ${status}: ${body.slice(0, 300)}` };
  try {
    return { answers: (single ? [body] : body.trimEnd().split('\n')).map(answerOf) };
  } catch {
    return { again: false, reason: `HTTP ${status}, not an answer: ${body.slice(0, 300)}` };
  }
}

function answerOf(text: string): Answer {
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
  const error = 'error' in answer ? answer.error : answer;
  return { refused: JSON.stringify(error) };
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
