import { setTimeout as wait } from 'node:timers/promises';
import { postLines } from './post-lines';
import { serverState } from './server-state';

/** What the server stored for one line. */
export interface Taken {
  id: string;
  work_key: string;
  attempts: number;
  outcome: string;
}

/** Per line, in order: what the server stored, or why it did not. */
export interface Sent {
  answers: (Taken | { refused: string })[];
  /** The server could not be reached or has too much to do: others need not ask now. */
  is_away: boolean;
  retry_after_ms: number | undefined;
}

export interface SendOptions {
  url: string;
  token?: string;
}

export interface SendLimits {
  /** `performance.now()` at which it is given up. */
  until: number;
  /** True: one capture as JSON; false: NDJSON. */
  single: boolean;
  /** Default: as often as the time allows. */
  max_tries?: number;
  /** Of those that no one answered, where there is another place for the lines. Default: as often as the time allows. */
  max_unreachable?: number;
  /** How long one capture's request may wait for its answer. Default: as long as there is time. */
  answer_within_ms?: number;
}

const FIRST_PAUSE_MS = 50;

/**
 * Posts lines until each has an answer or the time is up. Where waiting may help (no connection, 429, 5xx, a line that
 * the database could not take just then) what has no answer is sent again, after the time that the server named; each
 * line carries its capture_id, so that one which had been stored already counts once. Never rejects.
 */
export async function send(lines: readonly string[], options: SendOptions, limits: SendLimits): Promise<Sent> {
  const answers: Sent['answers'] = lines.map(() => ({ refused: 'the server did not answer this line' }));
  let open = lines.map((line, index) => ({ line, index }));
  let pause_ms = FIRST_PAUSE_MS;
  let unreachable = 0;
  for (let tries = 1; ; tries += 1) {
    const posted = await postLines(
      open.map(({ line }) => line),
      options,
      limits,
      serverState(options.url),
    );
    const again: typeof open = [];
    open.forEach((one, i) => {
      const answer = posted.answers[i] ?? { refused: posted.reason, again: posted.again };
      answers[one.index] = 'id' in answer ? answer : { refused: answer.refused };
      if (!('id' in answer) && answer.again) again.push(one);
    });
    open = again;
    const next_ms = Math.max(pause_ms, posted.retry_after_ms ?? 0);
    if (posted.is_unreachable) unreachable += 1;
    const is_over =
      tries === limits.max_tries ||
      unreachable === limits.max_unreachable ||
      performance.now() + next_ms >= limits.until;
    if (open.length === 0 || is_over) {
      return { answers, is_away: posted.is_away, retry_after_ms: posted.retry_after_ms };
    }
    await wait(next_ms);
    pause_ms *= 3;
  }
}
