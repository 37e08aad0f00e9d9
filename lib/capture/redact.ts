import type { ErrorEvidence } from './error-evidence';
import { geometryName } from './geometry-member';
import type { CapturePayload } from './options';

/** What a capture is about to hold: the payload, and the error's words beside it. */
export type Redactable = CapturePayload & Partial<ErrorEvidence>;

/**
 * Takes out what must not leave the pipeline: one function over the whole, or one a field (undefined removes the field).
 * Called before anything is written, sent or spooled; members have the names that the payload gave them, and `geometry` by
 * field is the geometry under whichever of its names. Give new values back; the given ones are the task's own.
 */
export type Redact =
  | ((payload: Redactable, error: unknown) => Redactable)
  | { [Field in keyof Redactable]?: (value: Redactable[Field], error: unknown) => Redactable[Field] | undefined };

export type Redacted =
  | { members: Record<string, unknown>; evidence: ErrorEvidence }
  /** The hook failed; only the type of what it threw is told, since its text may quote the payload. */
  | { failed: string };

const EVIDENCE = ['error_type', 'error_text', 'traceback'] as const;

/** Never throws: a hook that throws, or that answers with no object, is told as failed. */
export function redacted(
  members: Record<string, unknown>,
  evidence: ErrorEvidence,
  redact: Redact,
  error: unknown,
): Redacted {
  try {
    const given = { ...members, ...evidence } as unknown as Redactable;
    const answer: unknown = typeof redact === 'function' ? redact(given, error) : byField(given, redact, error);
    if (answer instanceof Promise) {
      // its failure is told below, by its being a promise
      answer.catch(() => {});
      return { failed: 'a promise, where a payload was expected' };
    }
    if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return { failed: 'no payload' };
    const rest: Record<string, unknown> = { ...answer };
    const text = (name: (typeof EVIDENCE)[number]) => (typeof rest[name] === 'string' ? rest[name] : '');
    const kept = {
      error_type: text('error_type') || evidence.error_type,
      error_text: text('error_text'),
      traceback: text('traceback'),
    };
    for (const name of EVIDENCE) delete rest[name];
    return { members: rest, evidence: kept };
  } catch (reason) {
    return { failed: reason instanceof Error ? reason.constructor.name : typeof reason };
  }
}

function byField(given: Redactable, redact: Exclude<Redact, (...all: never[]) => unknown>, error: unknown): object {
  const answer: Record<string, unknown> = { ...given };
  for (const [name, of] of Object.entries(redact) as [string, (value: unknown, error: unknown) => unknown][]) {
    const member = name === 'geometry' ? geometryName(answer) : name;
    if (member in answer) answer[member] = of(answer[member], error);
  }
  return answer;
}
