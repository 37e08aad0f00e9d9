'use client';
import type { ReactNode } from 'react';
import { Icon } from '@/components/ui/icon';
import { ageText, clockText } from '@/components/ui/time-text';
import { ApiError } from '@/lib/api/api-error';

/** A question that got no answer: what is wrong, what is still shown, and another try. `shown_at` in ms; 0 for nothing. */
export function SectionProblem({
  what,
  error,
  shown_at,
  onRetry,
}: {
  what: string;
  error: Error;
  shown_at: number;
  onRetry: () => void;
}) {
  return (
    <div className="note in-banner" role="alert">
      <Icon name="circle-alert" className="bad-t" />
      <div>
        <p className="strong bad-t">{titleOf(what, error)}</p>
        <p className="dim">
          {shown_at > 0
            ? `Shown: ${clockText(shown_at)}, ${ageText(Date.now() - shown_at)} old. It is asked again by itself.`
            : 'It is asked again by itself.'}
        </p>
      </div>
      <button type="button" className="btn btn-s" onClick={onRetry}>
        Try now
      </button>
    </div>
  );
}

function titleOf(what: string, error: Error): string {
  const code = error instanceof ApiError ? error.code : null;
  if (code === 'database_unavailable') return 'The database does not answer.';
  if (code === 'network') return 'The server does not answer.';
  if (code === 'forbidden' || code === 'unauthorized') return `Your role does not allow reading the ${what}.`;
  return `The ${what} could not be read: ${error.message}.`;
}

/** The shape of a table that comes, after 150 ms. */
export function SectionSkeleton({ what }: { what: string }) {
  return (
    <section className="card in-skel" aria-busy>
      <p className="sr" role="status">
        Loading the {what}
      </p>
      {[62, 78, 55, 84, 70].map((width) => (
        <i key={width} className="skel-bar" style={{ width: `${width}%` }} aria-hidden />
      ))}
    </section>
  );
}

/** Nothing is there, and what would be. */
export function SectionEmpty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <section className="card in-void">
      <p className="strong">{title}</p>
      {children}
    </section>
  );
}

/** The next page of a list. */
export function OlderOnes({ shown, busy, onMore }: { shown: number; busy: boolean; onMore: () => void }) {
  return (
    <p className="in-more">
      <button type="button" className="btn btn-s" disabled={busy} onClick={onMore}>
        {busy ? 'Loading…' : 'Older ones'}
      </button>
      <span className="cap">the newest {shown.toLocaleString('en-US')} are shown</span>
    </p>
  );
}
