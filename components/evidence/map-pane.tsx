'use client';
import dynamic from 'next/dynamic';
import { Component, type ReactNode } from 'react';
import '@/components/map/map.css';
import type { EvidenceMapProps } from '@/components/map/evidence-map';
import { useDisplay } from '@/components/ui/display';
import { countText } from '@/components/ui/number-text';
import type { Entry, Evidence } from '@/lib/contract/entry';
import type { Reprojected } from './use-reprojected';

const EvidenceMap = dynamic(() => import('@/components/map/evidence-map'), {
  ssr: false,
  loading: () => (
    <Frame>
      <span />
    </Frame>
  ),
});

type Props = Pick<EvidenceMapProps, 'current_fault' | 'source' | 'toLonLat' | 'ghost' | 'go' | 'focus' | 'cursor'> & {
  entry: Entry;
  evidence: Evidence;
  reprojected: Reprojected;
  vertex_count: number;
};

/** The entry on the map, as the database reprojected it. What goes wrong there does not take the evidence with it. */
export function MapPane({ entry, evidence, reprojected, vertex_count, ...rest }: Props) {
  const { drawn } = useDisplay();
  const { tile_z: z, tile_x: x, tile_y: y } = entry.payload;
  if (reprojected.status !== 'ready')
    return (
      <Frame>
        <p className="pane-words">
          {reprojected.status === 'large' && (
            <>
              <span className="dim">{countText(vertex_count)} vertices take the map some seconds.</span>
              <button type="button" className="btn btn-s" onClick={reprojected.ask}>
                Draw on the map
              </button>
            </>
          )}
          {reprojected.status === 'reading' && <span role="status">Reading the reprojected geometry</span>}
          {reprojected.status === 'failed' && (
            <span role="alert">The reprojected geometry could not be loaded: {reprojected.error.message}</span>
          )}
        </p>
      </Frame>
    );
  return (
    <Guard>
      <EvidenceMap
        evidence={evidence}
        reading={reprojected.reading}
        failure_class={entry.failure_class}
        tile={tileOf(z, x, y)}
        distance_m={entry.tile_distance_m}
        faults={evidence.faults}
        area_of_use={evidence.area_of_use}
        theme={drawn}
        {...rest}
      />
    </Guard>
  );
}

const tiles = new Map<string, { z: number; x: number; y: number }>();

/** The same object for the same tile: the map compares its inputs by identity. */
function tileOf(z: number | null, x: number | null, y: number | null) {
  if (z === null || x === null || y === null) return null;
  const name = `${z}/${x}/${y}`;
  const known = tiles.get(name) ?? { z, x, y };
  if (tiles.size > 100) tiles.clear();
  tiles.set(name, known);
  return known;
}

function Frame({ children }: { children: ReactNode }) {
  return (
    <figure className="pane">
      <figcaption>
        <b>On the map</b>
      </figcaption>
      <div className="pane-c map-c">{children}</div>
    </figure>
  );
}

class Guard extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };
  static getDerivedStateFromError() {
    return { failed: true };
  }
  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <Frame>
        <p className="pane-words" role="alert">
          <b className="strong">The map could not draw this.</b>
          <span className="dim">The source pane and the tables are not affected.</span>
        </p>
      </Frame>
    );
  }
}
