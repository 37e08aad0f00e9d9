'use client';
import { useQuery } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import { useMemo, useRef } from 'react';
import '@/components/map/map.css';
import type { Bbox } from '@/components/map/geodesy';
import { useDisplay } from '@/components/ui/display';
import { entryQuery } from '@/lib/api/entry';
import type { ListItem } from '@/lib/contract/triage';
import type { MapPosition } from './triage-url.model';
import type { Shown } from './use-triage-answer';

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
}) {
  const { drawn } = useDisplay();
  const { data: entry } = useQuery({ ...entryQuery(openId ?? ''), enabled: openId !== null });
  const position = entry?.position ?? openItem?.position ?? null;
  const tile = entry?.payload;
  const selected = useMemo(() => {
    if (openId === null) return null;
    const { tile_z: z, tile_x: x, tile_y: y } = tile ?? { tile_z: null, tile_x: null, tile_y: null };
    return { id: openId, position, tile: z === null || x === null || y === null ? null : { z, x, y } };
  }, [openId, position, tile]);
  const touched = useRef(false);
  const touch = () => {
    touched.current = true;
  };
  return (
    <div className="map-cell dims" onPointerDownCapture={touch} onWheelCapture={touch} onKeyDownCapture={touch}>
      <FailureMap
        query={shown.filterText}
        extent={shown.answer.extent}
        focus={shown.answer.focus}
        view={view}
        selected={selected}
        theme={drawn}
        onViewChange={(next) => onViewChange(next, touched.current)}
        onOpen={onOpen}
        onFilterToCell={onFilterToCell}
      />
    </div>
  );
}
