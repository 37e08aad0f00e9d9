'use client';
import { useCallback, useEffect, useMemo, useState } from 'react';
import type { Entry, Evidence } from '@/lib/contract/entry';
import { areaInSourceUnits } from './area-of-use.model';
import { CandidatesTable } from './candidates-table';
import { faultPlaces } from './fault-place.model';
import { FaultsTable } from './faults-table';
import { HexHead } from './hex-head';
import { EvidenceSkeleton, Problem } from './inspector-states';
import { knownWords } from './known.model';
import { MapPane } from './map-pane';
import { PaneKey } from './pane-key';
import { PayloadFacts } from './payload-facts';
import { vertexAt } from './scene-vertex.model';
import { SourcePane } from './source-pane';
import type { SceneState } from './use-scene';
import { VertexTable } from './vertex-table';

type Selection = { vertex: number | null; by_fault: boolean };
type Target = { at: readonly [number, number]; centre: boolean };

export type EvidenceTabProps = {
  entry: Entry;
  evidence: Evidence | null;
  scene: SceneState;
  error: Error | null;
  onRetry: () => void;
  /** Index of the current fault, or null. */
  current_fault: number | null;
  /** It was asked for, so the pane goes there. */
  chosen: boolean;
  now: number;
  onFault: (index: number) => void;
};

/** Why it failed: what is known in words, both panes, and their tables. */
export function EvidenceTab({ entry, evidence, scene, error, onRetry, now, ...faults }: EvidenceTabProps) {
  const payloads = entry.payloads;
  const current = entry.payload.payload_hash;
  const [version, setVersion] = useState(() =>
    Math.max(
      0,
      payloads.findIndex(({ payload_hash }) => payload_hash === current),
    ),
  );
  return (
    <>
      {evidence ? (
        <Panes entry={entry} evidence={evidence} state={scene} {...faults} />
      ) : error ? (
        <Problem error={error} onRetry={onRetry} />
      ) : (
        <EvidenceSkeleton />
      )}
      <PayloadFacts
        id={entry.id}
        payloads={payloads}
        current={current}
        version={version}
        now={now}
        onVersion={setVersion}
      />
    </>
  );
}

type PanesProps = Pick<EvidenceTabProps, 'entry' | 'current_fault' | 'chosen' | 'onFault'> & {
  evidence: Evidence;
  state: SceneState;
};

function Panes({ entry, evidence, state, current_fault, chosen, onFault }: PanesProps) {
  const { scene } = state;
  const places = useMemo(() => faultPlaces(scene, evidence.faults), [scene, evidence.faults]);
  /** `by_fault`: the vertex at or before the current fault; the fault's own mark shows the place in the pane. */
  const [{ vertex: selected, by_fault }, setSelection] = useState<Selection>({ vertex: null, by_fault: false });
  const setSelected = useCallback((vertex: number | null) => setSelection({ vertex, by_fault: false }), []);
  const [hovered, setHovered] = useState<number | null>(null);
  const [target, setTarget] = useState<Target | null>(null);
  const known = knownWords(evidence, entry);
  const area_of_use = useMemo(
    () => areaInSourceUnits(evidence.area_of_use, entry.payload.src_crs),
    [evidence.area_of_use, entry.payload.src_crs],
  );

  const place = chosen && current_fault !== null ? places[current_fault] : undefined;
  useEffect(() => {
    if (place?.at) setTarget({ at: place.at, centre: false });
    if (place && place.vertex !== null) setSelection({ vertex: place.vertex, by_fault: true });
  }, [place]);
  const select = useCallback(
    (vertex: number) => {
      setSelected(vertex);
      const at = scene && vertexAt(scene, vertex);
      if (at && Number.isFinite(at.x) && Number.isFinite(at.y)) setTarget({ at: [at.x, at.y], centre: true });
    },
    [scene, setSelected],
  );
  return (
    <>
      <p className="verdict">
        {known.tag && <span className={evidence.crs_verdict ? 'vtag' : 'vtag plain'}>{known.tag}</span>}
        <b>{known.strong}</b> <span className="dim">{known.rest}</span>
      </p>
      <div className="panes">
        <SourcePane
          entry={entry}
          evidence={evidence}
          state={state}
          places={places}
          current_fault={current_fault}
          selected={by_fault ? null : selected}
          hovered={hovered}
          target={target}
          area_of_use={area_of_use}
          onFault={onFault}
          onSelect={setSelected}
          onHover={setHovered}
        />
        <MapPane
          entry={entry}
          evidence={evidence}
          current_fault={current_fault}
          vertex_count={scene?.vertex_count ?? 0}
        />
      </div>
      <PaneKey entry={entry} evidence={evidence} places={places} scene={scene} onFault={onFault} />
      <CandidatesTable evidence={evidence} />
      {scene?.error && scene.bbox && evidence.geom_wkb && (
        <section aria-label="Bytes">
          <div className="sub">
            <h3>Bytes</h3>
          </div>
          <HexHead hex={evidence.geom_wkb} error={scene.error} below />
        </section>
      )}
      <FaultsTable places={places} current={current_fault} onFault={onFault} />
      {scene && (
        <VertexTable
          scene={scene}
          places={places}
          selected={selected}
          hovered={hovered}
          onSelect={select}
          onHover={setHovered}
        />
      )}
    </>
  );
}
