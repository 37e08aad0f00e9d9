'use client';
import './repair.css';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Segmented } from '@/components/ui/segmented';
import { isBusy, repairQuery } from '@/lib/api/repair';
import type { Entry } from '@/lib/contract/entry';
import { REPAIR_METHODS, type Repair, type RepairMethod } from '@/lib/contract/repair';
import { Problem } from './inspector-states';
import { ConfirmEdit } from './repair-confirm';
import { RepairLoss } from './repair-loss';
import { RepairSwipe } from './repair-swipe';
import type { Scene } from './scene.model';
import { useScene } from './use-scene';

const METHODS: Record<RepairMethod, string> = {
  linework: 'Every line kept; inside and outside alternate (even-odd).',
  structure: 'Shells joined, holes taken off.',
};

/** What ST_MakeValid would make of the geometry, beside what it was, and the way to send that instead. */
export function RepairSection({ entry, scene, id }: { entry: Entry; scene: Scene | null; id: string }) {
  const [method, setMethod] = useState<RepairMethod>('linework');
  const state = useQuery(repairQuery(entry.id, entry.payload.payload_hash, method));
  const repair = state.data ?? null;
  return (
    <section id={id} aria-labelledby={`${id}-h`} className="repair" aria-busy={state.isFetching}>
      <div className="sub">
        <h3 id={`${id}-h`}>Repair preview</h3>
        <Segmented
          label="Method"
          value={method}
          options={REPAIR_METHODS.map((value) => ({ value, label: value }))}
          onChange={setMethod}
        />
        <span className="cap">{METHODS[method]}</span>
      </div>
      {repair ? (
        <Answer entry={entry} repair={repair} before={scene} />
      ) : state.error ? (
        <Problem error={state.error} onRetry={() => void state.refetch()} />
      ) : (
        <p className="pane-words waiting after-150" role="status">
          {isBusy(state.failureReason)
            ? 'Other repairs are being computed; this one waits its turn'
            : 'Repairing; a large geometry takes up to 8 s'}
        </p>
      )}
    </section>
  );
}

function Answer({ entry, repair, before }: { entry: Entry; repair: Repair; before: Scene | null }) {
  const after = useScene({ geom_wkb: repair.geom_wkb, geom_bytes_at: null });
  if (!repair.possible)
    return (
      <div className="note" role="status">
        <div>
          <p className="strong">No repair.</p>
          <p className="dim">{capital(repair.why_not ?? 'nothing was said')}.</p>
        </div>
      </div>
    );
  return (
    <>
      {before && after.scene ? (
        <RepairSwipe before={before} after={after.scene} />
      ) : (
        <p className="dim">{repair.geom_omitted ? `${capital(repair.geom_omitted)}.` : 'Reading the repair'}</p>
      )}
      <RepairLoss repair={repair} />
      <div className="repair-a">
        <ConfirmEdit
          entry={entry}
          label="Use for a redrive…"
          title={`Use the ${repair.method} repair for a redrive`}
          align="start"
          refusal={repair.was_valid ? 'PostGIS finds nothing to repair' : null}
          changes={[
            `Geometry: ${repair.type_before?.toLowerCase()} of ${repair.vertices_before} vertices → ${repair.type_after?.toLowerCase()} of ${repair.vertices_after}`,
            repair.loss === 'over budget'
              ? `Over the loss budget: ${repair.loss_why.join('; ')}`
              : `Loss: ${repair.loss}`,
          ]}
          change={{ repair: { method: repair.method } }}
        />
      </div>
    </>
  );
}

const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
