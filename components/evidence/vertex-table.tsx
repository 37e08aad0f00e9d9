'use client';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useMemo, useRef } from 'react';
import { countText } from '@/components/ui/number-text';
import type { FaultPlace } from './fault-place.model';
import { bytesText } from './number-text.model';
import type { Scene } from './scene.model';
import { counted, typeWords } from './source-sentence.model';
import { VertexRow } from './vertex-row';

const ROW_PX = 26;

type Props = {
  scene: Scene;
  places: readonly FaultPlace[];
  selected: number | null;
  hovered: number | null;
  onSelect: (vertex: number) => void;
  onHover: (vertex: number | null) => void;
  /** Stands at the head's right. */
  action?: ReactNode;
};

/** Every vertex as stored, in the order of the bytes; virtual. The row with the focus is the one that the pane marks. */
export function VertexTable({ scene, places, selected, hovered, onSelect, onHover, action }: Props) {
  const scroller = useRef<HTMLDivElement>(null);
  const count = scene.vertex_count;
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 8,
    // the head lies over the rows, which begin below it
    scrollPaddingEnd: ROW_PX,
    initialRect: { width: 500, height: 208 },
  });
  const byVertex = useMemo(() => {
    const map = new Map<number, number[]>();
    places.forEach(({ vertex }, i) => {
      if (vertex !== null) map.set(vertex, [...(map.get(vertex) ?? []), i]);
    });
    return map;
  }, [places]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another chosen vertex scrolls
  useEffect(() => {
    if (selected !== null) virtual.scrollToIndex(selected);
  }, [selected]);
  if (count === 0) return null;
  const rows = virtual.getVirtualItems();
  const before = rows[0]?.start ?? 0;
  const after = virtual.getTotalSize() - (rows.at(-1)?.end ?? 0);
  const onKeyDown = (event: React.KeyboardEvent) => {
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 208) / ROW_PX) - 2);
    const at = selected ?? -1;
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + page, PageUp: at - page, Home: 0, End: count - 1 }[
      event.key
    ];
    if (to === undefined) return;
    event.preventDefault();
    onSelect(Math.min(count - 1, Math.max(0, to)));
  };
  const flat = !scene.has_z && !scene.has_m;
  return (
    <section aria-labelledby="vtx-h">
      <div className="sub">
        <h3 id="vtx-h">{counted(count, 'vertex', 'vertices')}</h3>
        <span className="cap">
          {typeWords(scene)}
          {scene.ring_count > 0 && `, ${counted(scene.ring_count, 'ring', 'rings')}`}
          {scene.srid !== null && `, SRID ${scene.srid}`}, {bytesText(scene.byte_length)}
          {scene.error && ', the beginning of what was declared'}
        </span>
        <span className="right">
          {scene.non_finite_count > 0 && (
            <button type="button" className="btn btn-s" onClick={() => onSelect(nextNonFinite(scene, selected))}>
              {countText(scene.non_finite_count)} not finite
            </button>
          )}
          {action}
        </span>
      </div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: leaving the rows only takes the highlight away */}
      <div className="vtx-s" ref={scroller} onMouseLeave={() => onHover(null)}>
        <table
          className="tbl vtx"
          // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: rows are chosen with the keys: it is a grid
          role="grid"
          aria-label="Vertices"
          aria-rowcount={count + 1}
          aria-activedescendant={selected === null ? undefined : `vertex-${selected}`}
          tabIndex={0}
          onKeyDown={onKeyDown}
        >
          <thead>
            <tr aria-rowindex={1}>
              <th scope="col" className="num k-n">
                #
              </th>
              <th scope="col" className="k-p">
                Part
              </th>
              <th scope="col" className={flat ? undefined : 'k-b'}>
                Note
              </th>
              <th scope="col" className={`num${flat ? ' k-v' : ''}`}>
                x
              </th>
              <th scope="col" className={`num${flat ? ' k-v' : ''}`}>
                y
              </th>
              {scene.has_z && (
                <th scope="col" className="num">
                  z
                </th>
              )}
              {scene.has_m && (
                <th scope="col" className="num">
                  m
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {before > 0 && <Spacer height={before} />}
            {rows.map(({ index }) => (
              <VertexRow
                key={index}
                scene={scene}
                vertex={index}
                selected={index === selected}
                hovered={index === hovered}
                faults={byVertex.get(index) ?? []}
                places={places}
                onSelect={onSelect}
                onHover={onHover}
              />
            ))}
            {after > 0 && <Spacer height={after} />}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function Spacer({ height }: { height: number }) {
  return (
    <tr className="spacer" aria-hidden>
      <td style={{ height }} />
    </tr>
  );
}

/** The first vertex after `from` whose x or y is not finite, going round. */
function nextNonFinite({ non_finite }: Scene, from: number | null): number {
  return non_finite.find((vertex) => vertex > (from ?? -1)) ?? non_finite[0] ?? 0;
}
