'use client';
import type { ReactNode } from 'react';
import { Divider } from '@/components/ui/divider';

/** The open entry with what of the page belongs to it. A tab is a history step, a fault is not. */
export type OpenEntry = {
  id: string;
  tab: string | null;
  fault: string | null;
  onTab: (tab: string) => void;
  onFault: (fault: string) => void;
  /** Null where there is none before or after it in the list. */
  onPrevious: (() => void) | null;
  onNext: (() => void) | null;
  onClose: () => void;
};

/** The column of the open entry, which can be dragged wider. What stands in it comes from outside. */
export function InspectorFrame({ id, inFilter, children }: { id: string; inFilter: boolean; children: ReactNode }) {
  return (
    <div className="insp-cell">
      <Divider name="insp" label="Width of the inspector" min={400} max={1200} start={544} grows="left" />
      <aside className="insp" aria-label="Open entry" data-entry-id={id}>
        {!inFilter && (
          <p className="insp-note cap" role="status">
            <span className="pill pill-warn">not in this filter</span>
          </p>
        )}
        <div className="insp-b">{children}</div>
      </aside>
    </div>
  );
}
