'use client';
import { useMemo, useState } from 'react';
import type { Entry, Evidence } from '@/lib/contract/entry';
import { CandidatesTable } from './candidates-table';
import { CopyMenu } from './copy-menu';
import { faultPlaces } from './fault-place.model';
import { FaultsTable } from './faults-table';
import { HexHead } from './hex-head';
import { EvidenceSkeleton, Problem } from './inspector-states';
import { knownWords } from './known.model';
import { Panes } from './panes';
import { PayloadFacts } from './payload-facts';
import { RevertPayload } from './repair-revert';
import { RepairSection } from './repair-section';
import { SimilarSection } from './similar-section';
import { UseCandidate } from './use-candidate';
import type { SceneState } from './use-scene';
import { useSelection } from './use-selection';
import { Verdict } from './verdict';
import { VertexTable } from './vertex-table';

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
        <Known entry={entry} evidence={evidence} state={scene} {...faults} />
      ) : error ? (
        <Problem error={error} onRetry={onRetry} />
      ) : (
        <EvidenceSkeleton />
      )}
      <SimilarSection id={entry.id} />
      <PayloadFacts
        id={entry.id}
        payloads={payloads}
        current={current}
        version={version}
        now={now}
        action={payloads[version] && <RevertPayload entry={entry} payload={payloads[version]} />}
        onVersion={setVersion}
      />
    </>
  );
}

type KnownProps = Pick<EvidenceTabProps, 'entry' | 'current_fault' | 'chosen' | 'onFault'> & {
  evidence: Evidence;
  state: SceneState;
};

function Known({ entry, evidence, state, current_fault, chosen, onFault }: KnownProps) {
  const { scene, bytes } = state;
  const places = useMemo(() => faultPlaces(scene, evidence.faults), [scene, evidence.faults]);
  const [repairing, setRepairing] = useState(false);
  const [taken, setTaken] = useState(0);
  const candidate = evidence.candidates[taken] ?? evidence.candidates[0];
  const selection = useSelection(scene, chosen && current_fault !== null ? places[current_fault] : undefined);
  return (
    <>
      <Verdict known={knownWords(evidence, entry)} />
      <Panes
        entry={entry}
        evidence={evidence}
        state={state}
        places={places}
        current_fault={current_fault}
        selection={selection}
        onFault={onFault}
      />
      <CandidatesTable
        evidence={evidence}
        shown={selection.candidate}
        onCandidate={selection.setCandidate}
        action={candidate && <UseCandidate entry={entry} candidate={candidate} />}
        onGo={(index) => {
          setTaken(index);
          selection.goTo(index);
        }}
      />
      {scene?.error && scene.bbox && bytes && (
        <section aria-label="Bytes">
          <div className="sub">
            <h3>Bytes</h3>
          </div>
          <HexHead bytes={bytes} error={scene.error} below />
        </section>
      )}
      <FaultsTable
        places={places}
        current={current_fault}
        crs_verdict={evidence.crs_verdict}
        action={
          <button
            type="button"
            className="btn btn-s"
            aria-expanded={repairing}
            aria-controls="repair"
            onClick={() => setRepairing(!repairing)}
          >
            Repair…
          </button>
        }
        onFault={onFault}
      />
      {repairing && <RepairSection id="repair" entry={entry} scene={scene} />}
      {scene && bytes && (
        <VertexTable
          scene={scene}
          places={places}
          selected={selection.vertex}
          hovered={selection.hovered}
          action={<CopyMenu entry={entry} evidence={evidence} scene={scene} bytes={bytes} />}
          onSelect={selection.choose}
          onHover={selection.setHovered}
        />
      )}
    </>
  );
}
