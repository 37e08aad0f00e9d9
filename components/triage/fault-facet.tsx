'use client';
import { useQuery } from '@tanstack/react-query';
import { faultsQuery } from '@/lib/api/triage';
import type { Filter } from '@/lib/contract/filter';
import { Facet } from './facet';
import { faultRows } from './facet.model';
import type { Shown } from './use-triage-answer';

/** The kinds of fault, counted apart from the answer; not there until any was found or is asked for. */
export function FaultFacet({
  shown,
  filter,
  onFilter,
}: {
  shown: Shown;
  filter: Filter;
  onFilter: (filter: Filter) => void;
}) {
  const { data, isError } = useQuery(faultsQuery(shown.filter, shown.answer.as_of));
  const rows = faultRows(data ?? { values: [], distinct: 0, capped: false }, filter);
  if (rows.length === 0 && !isError) return null;
  return (
    <>
      <Facet
        field="fault"
        title="Fault"
        rows={rows}
        distinct={Math.max(data?.distinct ?? 0, rows.length)}
        short={6}
        filter={filter}
        onFilter={onFilter}
      />
      {isError && (
        <p className="cap fmore-note" role="status">
          The faults could not be counted.
        </p>
      )}
    </>
  );
}
