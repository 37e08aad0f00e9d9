'use client';
import type { ReactNode } from 'react';
import { Divider } from '@/components/ui/divider';
import { Icon } from '@/components/ui/icon';

/** The column of the open entry. What stands in it comes from outside; the frame steps, closes and sizes it. */
export function InspectorFrame({
  id,
  inFilter,
  onStep,
  onClose,
  children,
}: {
  id: string;
  inFilter: boolean;
  /** To the previous (-1) or next (1) entry of the list; null where there is none. */
  onStep: { previous: (() => void) | null; next: (() => void) | null };
  onClose: () => void;
  children: ReactNode;
}) {
  return (
    <div className="insp-cell">
      <Divider name="insp" label="Width of the inspector" min={400} max={1200} start={544} grows="left" />
      <aside className="insp" aria-label="Open entry" data-entry-id={id}>
        <div className="insp-bar">
          {!inFilter && <span className="pill pill-warn">not in this filter</span>}
          <div className="right">
            <button
              type="button"
              className="btn btn-quiet btn-icon btn-s"
              aria-label="Previous entry"
              title="Previous entry (k)"
              disabled={!onStep.previous}
              onClick={onStep.previous ?? undefined}
            >
              <Icon name="chevron-up" />
            </button>
            <button
              type="button"
              className="btn btn-quiet btn-icon btn-s"
              aria-label="Next entry"
              title="Next entry (j)"
              disabled={!onStep.next}
              onClick={onStep.next ?? undefined}
            >
              <Icon name="chevron-down" />
            </button>
            <a
              className="btn btn-quiet btn-icon btn-s"
              href={`/dead-letters/${id}`}
              target="_blank"
              rel="noreferrer"
              aria-label="Open as a page of its own"
              title="Open as a page of its own"
            >
              <Icon name="external-link" />
            </a>
            <button
              type="button"
              className="btn btn-quiet btn-icon btn-s"
              aria-label="Close"
              title="Close (Esc)"
              onClick={onClose}
            >
              <Icon name="x" />
            </button>
          </div>
        </div>
        <div className="insp-b">{children}</div>
      </aside>
    </div>
  );
}
