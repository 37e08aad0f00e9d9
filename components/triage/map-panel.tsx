'use client';
import { useQuery } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import { useMemo, useRef } from 'react';
import '@/components/map/map.css';
import type { Bbox } from '@/components/map/geodesy';
import { useDisplay } from '@/components/ui/display';
import { entryQuery } from '@/lib/api/entry';
import type { LonLat } from '@/lib/contract/area-polygon';
import type { ListItem } from '@/lib/contract/triage';
import type { MapLayer, MapPosition } from './triage-url.model';
import type { Shown } from './use-triage-answer';
import { wayToTile } from './way-to-tile.model';

const FailureMap = dynamic(() => import('@/components/map/failure-map'), {
  ssr: false,
  loading: () => <div className="mapbox" aria-busy />,
});

export type ViewChange = MapPosition & { bbox: Bbox };

/** Where: the map of the answer, with the open entry and the way to its tile. */
export function MapPanel({
  shown,
  view,
  openId,
  openItem,
  onViewChange,
  onOpen,
  onFilterToCell,
  onPolygon,
  onPlace,
  layer,
  onLayer,
}: {
  shown: Shown;
  view: MapPosition | null;
  openId: string | null;
  /** The open entry as the list has it, if it does: its place shows before the whole entry is there. */
  openItem: ListItem | null;
  /** `byHand`: a person moved the map; the first fit of the extent is not one. */
  onViewChange: (view: ViewChange, byHand: boolean) => void;
  onOpen: (id: string) => void;
  onFilterToCell: (bbox: [number, number, number, number]) => void;
  onPolygon: (ring: LonLat[] | null) => void;
  onPlace: (code: string) => void;
  layer: MapLayer | null;
  onLayer: (layer: MapLayer | null) => void;
}) {
  const { drawn } = useDisplay();
  const { data: entry, isPending } = useQuery({ ...entryQuery(openId ?? ''), enabled: openId !== null });
  const position = entry?.position ?? openItem?.position ?? null;
  const tile = entry?.payload;
  const failure_class = entry?.failure_class ?? openItem?.failure_class;
  const distance_m = entry?.tile_distance_m ?? openItem?.tile_distance_m ?? null;
  const selected = useMemo(() => {
    if (openId === null) return null;
    const { tile_z: z, tile_x: x, tile_y: y } = tile ?? { tile_z: null, tile_x: null, tile_y: null };
    return {
      id: openId,
      position,
      tile: z === null || x === null || y === null ? null : { z, x, y },
      ...(failure_class ? { failure_class } : {}),
      distance_m,
    };
  }, [openId, position, tile, failure_class, distance_m]);
  // a link to an entry looks first at its way to the tile, so the first look waits for the entry
  const linked = useRef(openId).current;
  const waits = linked !== null && linked === openId && isPending;
  const focus = waits ? null : (linked === openId && wayToTile(selected)) || shown.answer.focus;
  const { polygon, bbox } = shown.filter;
  const area = useMemo(() => ({ polygon, bbox }), [polygon, bbox]);
  const touched = useRef(false);
  const touch = () => {
    touched.current = true;
  };
  return (
    <div className="map-cell dims" onPointerDownCapture={touch} onWheelCapture={touch} onKeyDownCapture={touch}>
      <FailureMap
        query={shown.filterText}
        as_of={shown.answer.as_of}
        extent={shown.answer.extent}
        focus={focus}
        view={view}
        selected={selected}
        theme={drawn}
        onViewChange={(next) => onViewChange(next, touched.current)}
        onOpen={onOpen}
        onFilterToCell={onFilterToCell}
        area={area}
        onPolygon={onPolygon}
        onPlace={onPlace}
        displaced={layer === 'displacement'}
        onDisplaced={(on) => onLayer(on ? 'displacement' : null)}
      />
    </div>
  );
}
