'use client';
import dynamic from 'next/dynamic';
import { usePreview } from '@/components/operations/use-preview';
import { Triage } from '@/components/triage/triage';

// the evidence is not needed before an entry is open, and draws on canvas and WebGL alone
const Inspector = dynamic(() => import('@/components/evidence/inspector').then((module) => module.Inspector), {
  ssr: false,
});

/** Puts the page together from its parts. */
export function TriageClient({ search }: { search: string }) {
  const { act, dialog } = usePreview();
  return (
    <>
      <Triage
        search={search}
        inspector={(open) => (
          <Inspector {...open} onAct={(action, entry) => act(action, { kind: 'entry', id: entry.id })} />
        )}
        onAct={act}
      />
      {dialog}
    </>
  );
}
