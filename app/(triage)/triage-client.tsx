'use client';
import { useState } from 'react';
import type { Scope } from '@/components/triage/scope.model';
import { Triage } from '@/components/triage/triage';
import type { Action } from '@/lib/contract/operation';

/** Puts the page together from its parts. */
export function TriageClient({ search }: { search: string }) {
  const [, setAct] = useState<{ action: Action; scope: Scope } | null>(null);
  return <Triage search={search} inspector={() => null} onAct={(action, scope) => setAct({ action, scope })} />;
}
