'use client';
import { Fragment, useMemo } from 'react';
import { Icon } from '@/components/ui/icon';
import type { Filter } from '@/lib/contract/filter';
import { Facet } from './facet';
import { facetRows, hasVerdicts, RAIL } from './facet.model';
import { FaultFacet } from './fault-facet';
import type { Shown } from './use-triage-answer';

/** What broke, where, in which code: every value with its count, each facet counting without its own condition. */
export function FacetRail({
  shown,
  filter,
  onFilter,
  onClose,
}: {
  shown: Shown;
  /** The filter of the address: a tick shows at once, its counts come with the answer. */
  filter: Filter;
  onFilter: (filter: Filter) => void;
  /** Shown on a phone, where the rail lies over the page. */
  onClose: () => void;
}) {
  const facets = useMemo(
    () =>
      RAIL.filter(({ field }) => field !== 'crs_verdict' || filter.crs_verdict || hasVerdicts(shown.answer)).map(
        (facet) => ({ ...facet, rows: facetRows(shown.answer, facet.field, filter) }),
      ),
    [shown.answer, filter],
  );
  return (
    <aside className="facets" aria-label="Facets">
      <button type="button" className="btn btn-quiet btn-s facets-close" onClick={onClose}>
        <Icon name="x" />
        Close
      </button>
      <div className="dims">
        {facets.map(({ field, title, short, rows }) => (
          <Fragment key={field}>
            {/* what broke stands together: the class, the claim's verdict, the geometry's faults */}
            {field === 'src_crs' && <FaultFacet shown={shown} filter={filter} onFilter={onFilter} />}
            <Facet
              field={field}
              title={title}
              short={short}
              rows={rows}
              distinct={Math.max(shown.answer.facets[field].distinct, rows.length)}
              filter={filter}
              onFilter={onFilter}
            />
          </Fragment>
        ))}
      </div>
    </aside>
  );
}
