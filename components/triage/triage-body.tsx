import type { ReactNode } from 'react';
import { Divider } from '@/components/ui/divider';
import { ListSkeleton } from './list-states';

/** The columns around their content: facets, the middle, and the inspector when an entry is open. */
export function TriageColumns({
  open,
  facetsOpen,
  facets,
  children,
  inspector,
}: {
  open: boolean;
  facetsOpen: boolean;
  facets: ReactNode;
  children: ReactNode;
  inspector: ReactNode;
}) {
  return (
    <main id="main" className={`columns${open ? ' has-open' : ''}${facetsOpen ? ' facets-open' : ''}`}>
      <h1 className="sr">Triage</h1>
      <div className="facets-cell">
        {facets}
        <Divider name="facets" label="Width of the facets" min={160} max={420} start={216} grows="right" />
      </div>
      <div className="mid">{children}</div>
      {inspector}
    </main>
  );
}

/** The rail before the first answer. */
export function RailSkeleton() {
  return (
    <div className="facets" aria-hidden>
      <ListSkeleton />
    </div>
  );
}

/** Before the first answer. `refused`: there will be none until the filter is changed. */
export function MiddleSkeleton({ refused }: { refused: boolean }) {
  return (
    <>
      <div className="hist" />
      <div className="mapbox" />
      <div className="ledger" />
      <div className="list">
        <div className="list-h" />
        <div className="list-s">
          {!refused && <ListSkeleton />}
          <p className={refused ? 'void dim' : 'late dim'}>
            {refused ? 'Nothing is shown until the condition is changed.' : 'Reading the entries…'}
          </p>
        </div>
      </div>
    </>
  );
}
