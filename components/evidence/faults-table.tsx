'use client';
import { type ReactNode, useEffect, useRef } from 'react';
import { Icon } from '@/components/ui/icon';
import type { FaultPlace } from './fault-place.model';
import { cappedFault, faultsWords } from './fault-words.model';
import { coordinateText, exactCoordinate } from './number-text.model';

const HEAD_PX = 26;

/** The numbered faults. A row chooses its fault in the panes; the current one keeps itself in view. */
export function FaultsTable({
  places,
  current,
  crs_verdict,
  action,
  onFault,
}: {
  places: readonly FaultPlace[];
  current: number | null;
  crs_verdict: string | null;
  /** Stands at the head's right, before the steps. */
  action?: ReactNode;
  onFault: (index: number) => void;
}) {
  const scroller = useRef<HTMLDivElement>(null);
  // only the table scrolls to the current row: the panes above stay in view
  // biome-ignore lint/correctness/useExhaustiveDependencies: another current fault is the signal
  useEffect(() => {
    const box = scroller.current;
    const row = box?.querySelector<HTMLElement>('[aria-selected="true"]');
    if (!box || !row) return;
    const hidden =
      row.offsetTop < box.scrollTop + HEAD_PX || row.offsetTop + row.offsetHeight > box.scrollTop + box.clientHeight;
    if (hidden) box.scrollTop = row.offsetTop - box.clientHeight / 2;
  }, [current]);
  if (places.length === 0) return null;
  const step = (by: number) => onFault(((current ?? (by > 0 ? -1 : 0)) + by + places.length) % places.length);
  const capped = cappedFault(places);
  return (
    <section className="flt-sec" aria-labelledby="flt-h">
      <div className="sub">
        <h3 id="flt-h">{places.length === 1 ? '1 fault' : `${places.length} faults`}</h3>
        <span className="cap">{faultsWords(places, crs_verdict)}</span>
        {(action || places.length > 1) && (
          <span className="right">
            {action}
            {places.length > 1 && (
              <>
                <button
                  type="button"
                  className="btn btn-s btn-icon"
                  aria-label="Previous fault"
                  title="Previous fault (N)"
                  aria-keyshortcuts="Shift+N"
                  onClick={() => step(-1)}
                >
                  <Icon name="chevron-up" small />
                </button>
                <button type="button" className="btn btn-s" aria-keyshortcuts="n" onClick={() => step(1)}>
                  Next fault<kbd>n</kbd>
                </button>
              </>
            )}
          </span>
        )}
      </div>
      <div className="flt-s" ref={scroller}>
        <table className="tbl flt" aria-label="Faults">
          <thead>
            <tr>
              <th scope="col" className="k-l">
                <span className="sr">Number</span>
              </th>
              <th scope="col" className="k-w">
                Fault
              </th>
              <th scope="col">Where</th>
              <th scope="col" className="num k-x">
                x
              </th>
              <th scope="col" className="num k-x">
                y
              </th>
            </tr>
          </thead>
          <tbody>
            {places.map(({ fault, at, where }, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a fault is its number
              <tr key={i} aria-selected={i === current} onClick={() => onFault(i)}>
                <td>
                  <span className={`badge badge-fault${fault.severity === 'note' ? ' note-only' : ''}`}>{i + 1}</span>
                </td>
                <td>
                  <button
                    type="button"
                    className="row-b trunc"
                    title={fault.message}
                    onFocus={() => i !== current && onFault(i)}
                  >
                    {fault.code}
                  </button>
                  <span className="sr">, {fault.severity === 'note' ? 'a note' : 'fails'}</span>
                </td>
                <td className="dim" title={`${where}${where && ': '}${fault.message}`}>
                  {where || fault.message}
                </td>
                <Coordinate value={at?.[0]} />
                <Coordinate value={at?.[1]} />
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {capped && <p className="why cap">Capped: {capped.message}. More may be wrong than is listed.</p>}
    </section>
  );
}

function Coordinate({ value }: { value: number | undefined }) {
  if (value === undefined) return <td className="num none">–</td>;
  return (
    <td className="num mono" title={exactCoordinate(value)}>
      {coordinateText(value, 10)}
    </td>
  );
}
