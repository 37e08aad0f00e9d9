'use client';
import { usePreview } from '@/components/operations/use-preview';
import { Triage } from '@/components/triage/triage';

/** Puts the page together from its parts. */
export function TriageClient({ search }: { search: string }) {
  const { act, dialog } = usePreview();
  return (
    <>
      <Triage search={search} inspector={() => null} onAct={act} />
      {dialog}
    </>
  );
}
