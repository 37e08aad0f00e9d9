'use client';
import './displacement.css';
import { useQuery } from '@tanstack/react-query';
import { type RefObject, useEffect, useMemo } from 'react';
import { displacementQuery } from '@/lib/api/displacement';
import { orderedGroups } from './displacement';
import { DisplacementList } from './displacement-list';
import type { TriageController } from './triage-controller';

/** The groups of the filter while the layer is on, put on the map; null while it is off. */
export function useDisplacement(query: string, on: boolean, controller: RefObject<TriageController | null>) {
  const { data, error, isPending } = useQuery({ ...displacementQuery(query), enabled: on });
  const answer = on ? (data ?? null) : null;
  const ordered = useMemo(() => orderedGroups(answer?.groups ?? []), [answer]);
  useEffect(() => controller.current?.setDisplacement(ordered), [ordered, controller]);
  return on ? { answer, ordered, error, isPending } : null;
}
export type Displacements = NonNullable<ReturnType<typeof useDisplacement>>;

/** The switch of the layer and, while it is on, its groups as a list. */
export function DisplacementLayer({
  shown,
  openId,
  onSwitch,
}: {
  shown: Displacements | null;
  openId: string | null;
  onSwitch: (on: boolean) => void;
}) {
  return (
    <div className="displacement">
      <label className="displacement-on">
        <input
          type="checkbox"
          className="check"
          checked={shown !== null}
          onChange={(event) => onSwitch(event.target.checked)}
        />
        <b>Displacement</b>
      </label>
      <div aria-live="polite">
        {shown?.answer && <DisplacementList answer={shown.answer} ordered={shown.ordered} openId={openId} />}
        {shown && !shown.answer && (
          <p className="cap">{shown.error ? `Not known: ${shown.error.message}.` : 'Comparing places with tiles…'}</p>
        )}
      </div>
    </div>
  );
}
