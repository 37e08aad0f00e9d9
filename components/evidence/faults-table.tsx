'use client';
import { useEffect, useRef } from 'react';
import type { FaultPlace } from './fault-place.model';
import { coordinateText, exactCoordinate } from './number-text.model';

const HEAD_PX = 26;

/** The numbered faults. A row chooses its fault in the panes; the current one keeps itself in view. */
export function FaultsTable({
  places,
  current,
  onFault,
}: {
  places: readonly FaultPlace[];
  current: number | null;
  onFault: (index: number) => void;
}) {
  const fails = places.filter(({ fault }) => fault.severity === 'fails').length;
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
  const step = (by: number) => onFault(((current ?? -1) + by + places.length) % places.length);
  return (
    <section aria-labelledby="flt-h">
      <div className="sub">
        <h3 id="flt-h">{places.length === 1 ? '1 fault' : `${places.length} faults`}</h3>
        <span className="cap">{faultsWords(fails, places.length)}</span>
        {places.length > 1 && (
          <span className="right">
            <button type="button" className="btn btn-s" aria-keyshortcuts="n" onClick={() => step(1)}>
              Next fault<kbd>n</kbd>
            </button>
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
    </section>
  );
}

function faultsWords(fails: number, total: number): string {
  if (fails === 0) return total === 1 ? 'a note, which need not fail' : 'notes, which need not fail';
  if (fails === total) return total === 1 ? 'makes it fail' : 'each makes it fail';
  return `${fails === 1 ? '1 makes it fail' : `${fails} make it fail`}, the rest are notes`;
}

function Coordinate({ value }: { value: number | undefined }) {
  if (value === undefined) return <td className="num none">–</td>;
  return (
    <td className="num mono" title={exactCoordinate(value)}>
      {coordinateText(value, 10)}
    </td>
  );
}
