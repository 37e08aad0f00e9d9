'use client';
import { useCallback, useState } from 'react';
import { Inspector } from '@/components/evidence/inspector';
import { usePreview } from '@/components/operations/use-preview';

/** Keeps tab and fault in the address, without asking the server for the page again. */
export function EntryClient({
  id,
  tab: firstTab,
  fault: firstFault,
}: {
  id: string;
  tab: string | null;
  fault: string | null;
}) {
  const [{ tab, fault }, setPlace] = useState({ tab: firstTab, fault: firstFault });
  const { act, dialog } = usePreview();
  const go = useCallback((change: { tab?: string; fault?: string }) => {
    setPlace((before) => ({ ...before, ...change }));
    const search = new URLSearchParams(window.location.search);
    for (const [name, value] of Object.entries(change)) search.set(name, value);
    window.history.replaceState(null, '', `${window.location.pathname}?${search}`);
  }, []);
  return (
    <main id="main" className="entry-page">
      <Inspector
        own_page
        id={id}
        tab={tab}
        fault={fault}
        onTab={(next) => go({ tab: next })}
        onFault={(next) => go({ fault: next })}
        onAct={(action, entry) => act(action, { kind: 'entry', id: entry.id })}
      />
      {dialog}
    </main>
  );
}
