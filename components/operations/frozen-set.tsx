import Link from 'next/link';
import { countText } from '@/components/ui/number-text';
import { type Filter, filterSchema, filterToSearch } from '@/lib/contract/filter';
import type { Operation } from '@/lib/contract/operation';
import { whenText } from './duration-text';
import { FilterChips } from './filter-chips';
import { leftOutSince, matchedCount } from './outcomes.model';
import { SkipReason } from './skip-reason';

/** What it works on: how the set was named, and each reason by which it became smaller. The lines add up. */
export function FrozenSet({ operation }: { operation: Operation }) {
  const { action, eligible, skipped, outcomes, frozen_at, as_of } = operation;
  const filter = filterOf(operation);
  const matched = matchedCount(operation);
  const since = leftOutSince(operation);
  const unnamed = outcomes.skipped - skipped.reduce((sum, { count }) => sum + count, 0);
  return (
    <section className="card" aria-labelledby="op-set">
      <div className="card-h">
        <h2 id="op-set">Frozen set</h2>
        <span className="right cap">{whenText(frozen_at, as_of)} UTC</span>
      </div>
      <div className="card-b">
        <FilterChips filter={filter} ids={filter ? null : matched} now={frozen_at} />
        <dl className="op-kv op-lines">
          <div>
            <dt>Matched</dt>
            <dd>{countText(matched)}</dd>
          </div>
          {skipped.map(({ reason, detail, count }) => (
            <div key={`${reason} ${detail}`}>
              <dt>
                <SkipReason reason={reason} detail={detail} action={action} />
              </dt>
              <dd>− {countText(count)}</dd>
            </div>
          ))}
          {unnamed > 0 && (
            <div>
              <dt>For other reasons</dt>
              <dd>− {countText(unnamed)}</dd>
            </div>
          )}
          <div className="sum">
            <dt>{since === 0 ? 'Eligible' : 'Still in it'}</dt>
            <dd>{countText(eligible - since)}</dd>
          </div>
        </dl>
        {since > 0 && (
          <p className="cap">
            {countText(eligible)} were eligible when it was frozen; {countText(since)} of them had changed by the time
            their turn came.
          </p>
        )}
        {filter && (
          <p className="op-more">
            <Link className="link" href={`/?${filterToSearch(filter)}`}>
              What matches now
            </Link>
          </p>
        )}
      </div>
    </section>
  );
}

/** The filter as it was kept; one that this version cannot read is not linked. */
function filterOf({ filter }: Operation): Filter | null {
  const parsed = filterSchema.safeParse(filter);
  return parsed.success ? parsed.data : null;
}
