'use client';
import './inspector.css';
import './evidence.css';
import './tables.css';
import { useQuery } from '@tanstack/react-query';
import { useDisplay } from '@/components/ui/display';
import { entryQuery } from '@/lib/api/entry';
import { evidenceQuery } from '@/lib/api/evidence';
import type { Entry } from '@/lib/contract/entry';
import { EvidenceTab } from './evidence-tab';
import { HistoryTab } from './history-tab';
import { InspectorHead } from './inspector-head';
import { InspectorProblem, InspectorSkeleton } from './inspector-states';
import { InspectorTabs, PANEL_ID, TABS, tabId, tabOf } from './inspector-tabs';
import { paramCount } from './json-view.model';
import { ParamsTab } from './params-tab';
import type { EntryAction } from './redrive.model';
import { RedriveTab } from './redrive-tab';
import type { StepsProps } from './steps';
import { TracebackTab } from './traceback-tab';
import { useInspectorKeys } from './use-inspector-keys';
import { useScene } from './use-scene';

export type InspectorProps = StepsProps & {
  id: string;
  /** The address's words: a tab's name, and the number of a fault as it is shown; null for the first. */
  tab: string | null;
  fault: string | null;
  onTab: (tab: string) => void;
  onFault: (fault: string) => void;
  /** Opens the preview of an action on this entry; without it there are no buttons. */
  onAct?: (action: EntryAction, entry: Entry) => void;
};

/** One entry: what it is, why it failed, what was done, and the way back. */
export function Inspector({ id, tab: tabName, fault, onTab, onFault, onAct, ...steps }: InspectorProps) {
  const { letter_keys } = useDisplay();
  const entryState = useQuery(entryQuery(id));
  const evidenceState = useQuery(evidenceQuery(id));
  // read once an entry, whatever tab is shown
  const scene = useScene(evidenceState.data ?? null);
  const tab = tabOf(tabName);
  const entry = entryState.data;
  const faults = evidenceState.data?.faults.length ?? 0;
  const asked = Number(fault ?? 1) - 1;
  const current = faults === 0 ? null : Number.isInteger(asked) && asked >= 0 && asked < faults ? asked : 0;

  useInspectorKeys(letter_keys, (key) => {
    const chosen = TABS[Number(key) - 1];
    if (chosen) {
      onTab(chosen);
      return true;
    }
    if ((key !== 'n' && key !== 'N') || current === null) return false;
    if (tab !== 'evidence') onTab('evidence');
    onFault(String(((current + (key === 'n' ? 1 : -1) + faults) % faults) + 1));
    return true;
  });

  if (!entry) {
    if (entryState.error)
      return (
        <InspectorProblem id={id} error={entryState.error} steps={steps} onRetry={() => void entryState.refetch()} />
      );
    return <InspectorSkeleton id={id} steps={steps} />;
  }
  // the server and the browser agree on it: the moment at which the entry was read
  const now = entryState.dataUpdatedAt;
  const history = entry.occurrences.length + entry.events.length + entry.redrives.length;
  return (
    <div className="insp-in">
      <InspectorHead entry={entry} now={now} steps={steps} />
      <InspectorTabs tab={tab} counts={{ params: paramCount(entry.payload.params_text), history }} onTab={onTab} />
      <div
        className="insp-body"
        role="tabpanel"
        id={PANEL_ID}
        aria-labelledby={tabId(tab)}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
        tabIndex={0}
        key={`${id} ${tab}`}
      >
        {tab === 'evidence' && (
          <EvidenceTab
            entry={entry}
            evidence={evidenceState.data ?? null}
            scene={scene}
            error={evidenceState.data ? null : evidenceState.error}
            onRetry={() => void evidenceState.refetch()}
            current_fault={current}
            chosen={fault !== null}
            now={now}
            onFault={(index) => onFault(String(index + 1))}
          />
        )}
        {tab === 'params' && <ParamsTab payloads={entry.payloads} current={entry.payload.payload_hash} now={now} />}
        {tab === 'traceback' && <TracebackTab text={entry.traceback} />}
        {tab === 'history' && <HistoryTab entry={entry} now={now} />}
        {tab === 'redrive' && <RedriveTab entry={entry} {...(onAct ? { onAct } : {})} />}
      </div>
    </div>
  );
}
