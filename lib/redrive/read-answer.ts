import { redriveAnswerSchema } from '@/lib/contract/task';
import type { Settlement } from '@/lib/dead-letter/redrive-transitions';

/** What a send came to. `busy`: the target takes nothing now, so that more of the same would only burn tries. */
export interface SendResult {
  outcome: Settlement;
  answer: string | null;
  busy: boolean;
}

const MAX_ANSWER_CHARACTERS = 10_000;

/**
 * What a target's answer means.
 * - 2xx: the outcome in its body; without a readable one, and for 202 always, accepted.
 * - 4xx: refused, with its text; 429 also means busy. It counts: the request did arrive.
 * - 3xx: refused; a redirect is not followed, since only configured addresses are called.
 * - anything else: nobody knows what ran. A 503 of a proxy in front of a running task looks like one of an idle server.
 */
export function readAnswer(status: number, body: string): SendResult {
  if (status >= 200 && status < 300) {
    const told = status === 202 ? null : answerIn(body);
    return { outcome: told?.outcome ?? 'accepted', answer: textOf(told?.message ?? null), busy: false };
  }
  const answer = textOf(`HTTP ${status}${body ? `: ${messageIn(body)}` : ''}`);
  if (status >= 400 && status < 500) return { outcome: 'rejected', answer, busy: status === 429 };
  if (status >= 300 && status < 400)
    return { outcome: 'rejected', answer: `HTTP ${status}: a redirect is not followed`, busy: false };
  return { outcome: 'unknown', answer, busy: false };
}

function answerIn(body: string) {
  try {
    const parsed = redriveAnswerSchema.safeParse(JSON.parse(body));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

const messageIn = (body: string): string => answerIn(body)?.message ?? body;

/** PostgreSQL's text holds no NUL. */
const textOf = (text: string | null): string | null =>
  text === null ? null : text.slice(0, MAX_ANSWER_CHARACTERS).replaceAll('\0', '\uFFFD');

/** Only these prove that no connection was made, hence nothing sent. */
const NEVER_CONNECTED = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'];

/** What a failed send means: not sent where the connection was refused or its name not found, else in doubt. */
export function readFailure(error: unknown): SendResult {
  const leaves = [...leavesOf(error)];
  const never = leaves.length > 0 && leaves.every((leaf) => NEVER_CONNECTED.includes(codeOf(leaf)));
  const text = leaves.map((leaf) => leaf.message || codeOf(leaf)).join('; ');
  return { outcome: never ? 'never_sent' : 'unknown', answer: textOf(text || String(error)), busy: never };
}

/** The innermost causes: of both addresses of a name, where both failed. */
function* leavesOf(error: unknown, depth = 0): Generator<Error> {
  if (!(error instanceof Error) || depth > 8) return;
  if (error instanceof AggregateError && error.errors.length > 0)
    for (const one of error.errors) yield* leavesOf(one, depth + 1);
  else if (error.cause instanceof Error) yield* leavesOf(error.cause, depth + 1);
  else yield error;
}

const codeOf = (error: Error): string => ('code' in error && typeof error.code === 'string' ? error.code : '');
