'use client';
import type { Bbox } from '@/components/map/geodesy';
import { Icon } from '@/components/ui/icon';
import { countText } from '@/components/ui/number-text';
import { ledgerOf, reasonText, sideOfView } from './ledger.model';
import { useInView } from './use-in-view';
import type { Shown } from './use-triage-answer';

/** in view + outside + not on the map = matching: nothing disappears from the map silently. Every reason is a filter. */
export function LedgerLine({
  shown,
  view,
  onReason,
  onNotMapped,
  onShowAll,
}: {
  shown: Shown;
  view: Bbox | null;
  onReason: (reason: string) => void;
  onNotMapped: () => void;
  onShowAll: () => void;
}) {
  const { total, not_mapped, extent } = shown.answer;
  const inView = useInView(shown, view);
  const ledger = ledgerOf(total, not_mapped.total, inView);
  const side = view ? sideOfView(extent, view) : null;
  return (
    <section className="ledger dims" aria-label="On and off the map">
      <span>
        <b>{ledger ? countText(ledger.in_view) : '…'}</b> in view
      </span>
      {ledger && ledger.outside > 0 && (
        <button type="button" onClick={onShowAll} title="Show all on the map">
          <b>{countText(ledger.outside)}</b>{' '}
          <span className="lbl">{side ? `${side} of the view` : 'outside the view'}</span>
          {side === 'south' && <Icon name="arrow-down" small />}
        </button>
      )}
      {not_mapped.total > 0 ? (
        <>
          <span className="sep" />
          <button type="button" onClick={onNotMapped} title="Show only these">
            <b>{countText(not_mapped.total)}</b> not on the map:
          </button>
          {not_mapped.reasons.map(({ reason, count }) => (
            <button key={reason} type="button" onClick={() => onReason(reason)}>
              <span className="lbl">{reasonText(reason)}</span> {countText(count)}
            </button>
          ))}
        </>
      ) : (
        total > 0 && (
          <>
            <span className="sep" />
            <span>all on the map</span>
          </>
        )
      )}
    </section>
  );
}
