'use client';
import { useRef } from 'react';
import type { Bbox } from '@/components/map/geodesy';
import { Icon } from '@/components/ui/icon';
import { boundText } from '@/components/ui/number-text';
import { Popover, PopoverClose } from '@/components/ui/popover';
import { ledgerOf, reasonsThatFit, reasonText, sideOfView } from './ledger.model';
import { useInView } from './use-in-view';
import type { Shown } from './use-triage-answer';
import { useWidth } from './use-width';

/** Before the width is known, e.g. on the server: beside an open entry, where least fits. */
const WIDTH_GUESS = 656;
const PADDING_PX = 24;

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
  const { total, not_mapped, extent, capped } = shown.answer;
  const countText = (value: number) => boundText(value, capped);
  const inView = useInView(shown, view);
  const ledger = ledgerOf(total, not_mapped.total, inView);
  const side = view ? sideOfView(extent, view) : null;
  const line = useRef<HTMLElement>(null);
  const { reasons } = not_mapped;
  const elsewhere = side ? `${side} of the view  ` : 'outside the view';
  const fit = reasonsThatFit(
    reasons.map(({ reason, count }) => `${reasonText(reason)} ${countText(count)}`),
    [
      `${ledger ? countText(ledger.in_view) : '…'} in view`,
      ledger && ledger.outside > 0 ? `${countText(ledger.outside)} ${elsewhere}` : '',
      `${countText(not_mapped.total)} not on the map:`,
    ],
    (useWidth(line) || WIDTH_GUESS) - PADDING_PX,
  );
  const rest = reasons.slice(fit);
  return (
    <section className="ledger dims" aria-label="On and off the map" ref={line}>
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
          {fit > 0 && (
            <button type="button" onClick={onNotMapped} title="Show only these">
              <b>{countText(not_mapped.total)}</b> not on the map:
            </button>
          )}
          {reasons.slice(0, fit).map(({ reason, count }) => (
            <button key={reason} type="button" onClick={() => onReason(reason)}>
              <span className="lbl">{reasonText(reason)}</span> {countText(count)}
            </button>
          ))}
          {rest.length > 0 && (
            <Popover
              label="More reasons"
              align="end"
              trigger={
                <button type="button" className="ledger-more">
                  {fit > 0 ? (
                    `${rest.length} more`
                  ) : (
                    <span>
                      <b>{countText(not_mapped.total)}</b> not on the map
                    </span>
                  )}
                  <Icon name="chevron-down" small />
                </button>
              }
            >
              {fit === 0 && (
                <PopoverClose asChild>
                  <button type="button" className="menu-item" onClick={onNotMapped}>
                    all of them
                    <span className="num">{countText(not_mapped.total)}</span>
                  </button>
                </PopoverClose>
              )}
              {rest.map(({ reason, count }) => (
                <PopoverClose key={reason} asChild>
                  <button type="button" className="menu-item" onClick={() => onReason(reason)}>
                    {reasonText(reason)}
                    <span className="num">{countText(count)}</span>
                  </button>
                </PopoverClose>
              ))}
            </Popover>
          )}
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
