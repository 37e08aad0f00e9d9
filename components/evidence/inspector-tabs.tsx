'use client';
import { useRef } from 'react';

export const TABS = ['evidence', 'params', 'traceback', 'history', 'redrive'] as const;
export type Tab = (typeof TABS)[number];

/** The tab of an address; the first where it names none. */
export const tabOf = (name: string | null): Tab => TABS.find((tab) => tab === name) ?? 'evidence';

const LABELS: Record<Tab, string> = {
  evidence: 'Evidence',
  params: 'Params',
  traceback: 'Traceback',
  history: 'History',
  redrive: 'Redrive',
};
export const tabId = (tab: Tab) => `insp-tab-${tab}`;
export const PANEL_ID = 'insp-panel';

/** Arrow keys go round, as tabs do; 1 to 5 are the page's own keys. */
export function InspectorTabs({
  tab,
  counts,
  onTab,
}: {
  tab: Tab;
  counts: Partial<Record<Tab, number>>;
  onTab: (tab: Tab) => void;
}) {
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: React.KeyboardEvent) => {
    const at = TABS.indexOf(tab);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: TABS.length - 1 }[event.key];
    const next = to === undefined ? undefined : TABS[(to + TABS.length) % TABS.length];
    if (!next) return;
    event.preventDefault();
    onTab(next);
    list.current?.querySelector<HTMLElement>(`#${tabId(next)}`)?.focus();
  };
  return (
    <div className="tabs" role="tablist" aria-label="Entry" ref={list} onKeyDown={onKeyDown}>
      {TABS.map((name, i) => (
        <button
          key={name}
          type="button"
          role="tab"
          id={tabId(name)}
          aria-selected={name === tab}
          aria-controls={PANEL_ID}
          tabIndex={name === tab ? 0 : -1}
          title={`${LABELS[name]} (${i + 1})`}
          onClick={() => onTab(name)}
        >
          {LABELS[name]}
          {counts[name] !== undefined && <span>{counts[name]}</span>}
        </button>
      ))}
    </div>
  );
}
