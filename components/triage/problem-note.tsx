'use client';
import { useEffect, useState } from 'react';
import { Icon } from '@/components/ui/icon';
import { ageText, clockText } from '@/components/ui/time-text';
import { ApiError } from '@/lib/api/api-error';

/** What happened, what is shown, what still works, and when it is tried again. */
export function ProblemNote({
  error,
  shownAsOf,
  retryAt,
  onRetry,
}: {
  error: Error;
  shownAsOf: string | null;
  /** ms since 1970 */
  retryAt: number | null;
  onRetry: () => void;
}) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const code = error instanceof ApiError ? error.code : 'internal';
  const refused = code === 'bad_request';
  const wait = retryAt === null ? null : Math.max(0, Math.ceil((retryAt - now) / 1000));
  return (
    <div className="problem" role="alert">
      <Icon name="circle-alert" />
      <span className="strong bad-t">{headline(code, error)}</span>
      <span className="dim">
        {shownAsOf && `Shown: ${clockText(shownAsOf)}, ${ageText(now - new Date(shownAsOf).getTime())} old. `}
        Actions are off{refused && ' until the condition is changed'}.
      </span>
      <span className="faint" aria-hidden>
        {wait !== null && (wait > 0 ? `Next try in ${wait} s.` : 'Trying…')}
      </span>
      {!refused && (
        <button type="button" className="btn btn-s" onClick={onRetry}>
          Try now
        </button>
      )}
    </div>
  );
}

function headline(code: string, error: Error): string {
  if (code === 'database_unavailable') return 'The database does not answer.';
  if (code === 'network') return 'The server does not answer.';
  if (code === 'timeout') return 'The answer took too long.';
  if (code === 'bad_request') return `The filter cannot be answered: ${error.message}.`;
  return `The entries could not be read: ${error.message}.`;
}
