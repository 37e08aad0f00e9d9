import { ApiError } from '@/lib/api/api-error';

export type ProblemWords = {
  title: string;
  text: string;
  /** What helps: the same request again, another preview, or neither. */
  next: 'again' | 'freeze' | null;
};

const NOTHING = 'Nothing was changed.';

/** Why a set could not be frozen. */
export function previewProblem(error: Error): ProblemWords {
  const code = error instanceof ApiError ? error.code : 'internal';
  if (code === 'forbidden' || code === 'unauthorized') return { title: FORBIDDEN, text: error.message, next: null };
  if (code === 'timeout')
    return { title: 'Freezing took too long.', text: `Narrow the filter, or try again. ${NOTHING}`, next: 'again' };
  return { title: away(code) ?? `The set could not be frozen: ${error.message}.`, text: NOTHING, next: 'again' };
}

/** Why an operation did not start. One preview starts at most once, so asking again is always safe. */
export function startProblem(error: Error): ProblemWords {
  const code = error instanceof ApiError ? error.code : 'internal';
  if (code === 'forbidden' || code === 'unauthorized') return { title: FORBIDDEN, text: error.message, next: null };
  if (code === 'conflict')
    return { title: 'This preview has expired.', text: `What it froze is too old. ${NOTHING}`, next: 'freeze' };
  if (code === 'not_found') return { title: 'This preview is not there any more.', text: NOTHING, next: 'freeze' };
  if (code === 'unprocessable' || code === 'bad_request')
    return { title: 'It was not started.', text: `${error.message}. ${NOTHING}`, next: null };
  return {
    title: away(code) ?? `It may not have started: ${error.message}.`,
    text: 'Whether it started is not known. Try again: one preview starts at most once.',
    next: 'again',
  };
}

const FORBIDDEN = 'Your role does not allow this.';

function away(code: string): string | null {
  if (code === 'database_unavailable') return 'The database does not answer.';
  return code === 'network' ? 'The server does not answer.' : null;
}
