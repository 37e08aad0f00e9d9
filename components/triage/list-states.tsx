'use client';
import { useQueries } from '@tanstack/react-query';
import { boundText } from '@/components/ui/number-text';
import { queryKeys } from '@/lib/api/query-keys';
import { askTriage } from '@/lib/api/triage';
import type { Filter } from '@/lib/contract/filter';
import { conditionsOf } from './condition.model';
import type { Shown } from './use-triage-answer';

const WIDTHS = [142, 138, 142, 120, 146, 134, 128, 140];

/** The first load only; later the old content stays. */
export function ListSkeleton() {
  return (
    <ul className="skel" aria-label="Loading entries" aria-busy>
      {WIDTHS.map((width, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: eight lines that never change
        <li key={i}>
          <i style={{ width: 12 }} />
          <i style={{ width }} />
          <i style={{ width: 64 }} />
          <i style={{ width: 34 }} />
        </li>
      ))}
    </ul>
  );
}

/** Nothing matches: names the condition whose removal helps most, with what there is without it. */
export function NothingMatches({ shown, onFilter }: { shown: Shown; onFilter: (filter: Filter) => void }) {
  const conditions = conditionsOf(shown.filter, shown.answer.as_of);
  const counts = useQueries({
    queries: conditions.map(({ key, without }) => ({
      queryKey: [...queryKeys.triage.all, 'without', key, shown.filterText, shown.answer.as_of],
      queryFn: ({ signal }: { signal: AbortSignal }) => askTriage(without, { limit: 1 }, signal),
      staleTime: Number.POSITIVE_INFINITY,
    })),
  });
  const best = conditions
    .map((condition, i) => ({
      ...condition,
      count: counts[i]?.data?.total ?? 0,
      capped: counts[i]?.data?.capped ?? false,
    }))
    .sort((a, b) => b.count - a.count)[0];
  const words = best && `${best.excluded ? 'not ' : ''}${best.label} ${best.text}`;
  return (
    <div className="void">
      <p className="strong">
        {conditions.length === 1
          ? 'No entry matches this condition.'
          : `No entry matches these ${conditions.length} conditions.`}
      </p>
      {best && words && best.count > 0 && (
        <p className="dim">
          Without <span className="mono">{words}</span> there {best.count === 1 ? 'is' : 'are'}{' '}
          {boundText(best.count, best.capped)}.
        </p>
      )}
      <p className="row">
        {best && words && best.count > 0 && (
          <button type="button" className="btn btn-s" onClick={() => onFilter(best.without)}>
            Drop “{words}”
          </button>
        )}
        <button type="button" className="btn btn-s btn-quiet" onClick={() => onFilter({})}>
          Clear all
        </button>
      </p>
    </div>
  );
}

/** Depth 0: nothing waits for anyone. */
export function NothingDead({ onFilter }: { onFilter: (filter: Filter) => void }) {
  return (
    <div className="void">
      <p className="strong">Depth is 0.</p>
      <p className="dim">Every entry is resolved. What fails from now on appears here.</p>
      <p className="row">
        <button type="button" className="btn btn-s" onClick={() => onFilter({ state: ['resolved'] })}>
          Show resolved entries
        </button>
      </p>
    </div>
  );
}
