'use client';
import dynamic from 'next/dynamic';
import { Component, type ReactNode, useState } from 'react';
import '@/components/map/map.css';
import { useDisplay } from '@/components/ui/display';
import { countText } from '@/components/ui/number-text';
import type { Entry, Evidence } from '@/lib/contract/entry';

const EvidenceMap = dynamic(() => import('@/components/map/evidence-map'), {
  ssr: false,
  loading: () => (
    <Frame>
      <span />
    </Frame>
  ),
});

/** Hex beyond this (0.5 MB, some 30,000 vertices) would hold up the page: it is drawn when asked for. */
const DRAWN_AT_ONCE = 1_000_000;

/** The entry on the map, as the database reprojected it. What goes wrong there does not take the evidence with it. */
export function MapPane({
  entry,
  evidence,
  current_fault,
  vertex_count,
}: {
  entry: Entry;
  evidence: Evidence;
  current_fault: number | null;
  vertex_count: number;
}) {
  const { drawn } = useDisplay();
  const [asked, setAsked] = useState(false);
  const { tile_z: z, tile_x: x, tile_y: y } = entry.payload;
  if (!asked && (evidence.reprojected_wkb?.length ?? 0) > DRAWN_AT_ONCE)
    return (
      <Frame>
        <p className="pane-words">
          <span className="dim">{countText(vertex_count)} vertices take the map some seconds.</span>
          <button type="button" className="btn btn-s" onClick={() => setAsked(true)}>
            Draw on the map
          </button>
        </p>
      </Frame>
    );
  return (
    <Guard>
      <EvidenceMap
        evidence={evidence}
        failure_class={entry.failure_class}
        tile={tileOf(z, x, y)}
        distance_m={entry.tile_distance_m}
        faults={evidence.faults}
        current_fault={current_fault}
        area_of_use={evidence.area_of_use}
        theme={drawn}
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
