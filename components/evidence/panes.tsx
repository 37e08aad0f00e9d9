'use client';
import { useMemo } from 'react';
import type { Entry, Evidence } from '@/lib/contract/entry';
import { nearestOnRing } from './area-ring.model';
import { candidateNote } from './candidate-words.model';
import type { FaultPlace } from './fault-place.model';
import { sourceGhost } from './ghost.model';
import { MapPane } from './map-pane';
import { PaneKey } from './pane-key';
import { rereadOf, toldReread } from './reread.model';
import { SourcePane } from './source-pane';
import { sourceDistanceText } from './unit-words.model';
import { useGhost } from './use-ghost';
import { useLinkedCursor } from './use-linked-cursor';
import { useReprojected } from './use-reprojected';
import type { SceneState } from './use-scene';
import type { Selection } from './use-selection';
import { vertexOnMap } from './vertex-on-map';

/** The geometry as stored beside the place where it lands; a place in hand is shown in both. */
export function Panes({
  entry,
  evidence,
  state,
  places,
  current_fault,
  selection,
  onFault,
}: {
  entry: Entry;
  evidence: Evidence;
  state: SceneState;
  places: readonly FaultPlace[];
  current_fault: number | null;
  selection: Selection;
  onFault: (index: number) => void;
}) {
  const { scene } = state;
  const { candidate, marked, hovered } = selection;
  const { area_of_use_source, claim } = evidence;
  const in_hand = candidate === null ? undefined : evidence.candidates[candidate];
  const link = useLinkedCursor(evidence);
  const reprojected = useReprojected(evidence);
  const map_ghost = useGhost(evidence, candidate);
  const toLonLat = link.linked ? (link.cursor.transform?.toLonLat ?? null) : null;
  const area = area_of_use_source && area_of_use_source.length > 2 ? area_of_use_source : null;
  const area_distance = useMemo(() => {
    const box = scene?.cluster?.box ?? scene?.bbox;
    if (!area || !box) return null;
    const middle = [box[0] / 2 + box[2] / 2, box[1] / 2 + box[3] / 2] as const;
    const nearest = nearestOnRing(area, ...middle);
    return nearest && sourceDistanceText(claim, middle, nearest);
  }, [area, scene, claim]);
  const told = useMemo(() => toldReread(evidence), [evidence]);
  const ghost = useMemo(() => {
    const reread = in_hand ? rereadOf(in_hand) : told;
    return scene && reread && sourceGhost(scene, reread);
  }, [scene, in_hand, told]);
  const reading = reprojected.status === 'ready' ? reprojected.reading : null;
  const in_focus = hovered ?? marked;
  const focus = useMemo(
    () => (scene && in_focus !== null ? vertexOnMap(scene, reading, in_focus, toLonLat) : null),
    [scene, reading, in_focus, toLonLat],
  );
  return (
    <>
      <div className="panes">
        <SourcePane
          entry={entry}
          evidence={evidence}
          state={state}
          places={places}
          note={in_hand && candidate !== null ? candidateNote(in_hand, candidate) : null}
          current_fault={current_fault}
          selected={marked}
          hovered={hovered}
          target={selection.target}
          area_of_use={area}
          area_distance={area_distance}
          ghost={ghost}
          cursor={link.cursor}
          onFault={onFault}
          onSelect={selection.setMarked}
          onHover={selection.setHovered}
        />
        <MapPane
          entry={entry}
          evidence={evidence}
          reprojected={reprojected}
          current_fault={current_fault}
          source={scene}
          toLonLat={toLonLat}
          ghost={map_ghost}
          go={selection.go}
          focus={focus}
          cursor={link.cursor}
          vertex_count={scene?.vertex_count ?? 0}
        />
      </div>
      <PaneKey
        entry={entry}
        evidence={evidence}
        places={places}
        scene={scene}
        link={link}
        note={ghostNote(map_ghost)}
        onFault={onFault}
      />
    </>
  );
}

function ghostNote(ghost: ReturnType<typeof useGhost>): string | null {
  if (!ghost) return null;
  if (ghost.problem) return `no ghost: ${ghost.problem}`;
  return ghost.shown === 'simplified'
    ? 'ghost simplified'
    : ghost.shown === 'outline'
      ? 'ghost: its extent only'
      : null;
}
