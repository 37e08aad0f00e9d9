import type { Filter } from '@/lib/contract/filter';
import type { KeyCommand } from '../keys.model';
import type { Group, TriageState } from '../triage-url.model';
import type { Shown } from '../use-triage-answer';

/** What the triage page tells the palette: what is shown, and the same functions that its keys call. */
export type TriagePage = {
  state: TriageState;
  shown: Shown | null;
  /** What redrive, abandon and quarantine act on, e.g. `3 ticked`; null where nothing is ticked or open. */
  scope: string | null;
  run: (command: KeyCommand) => void;
  setFilter: (filter: Filter) => void;
  setGroup: (group: Group) => void;
  visit: (search: string) => void;
};

let page: (() => TriagePage | null) | null = null;

/** The page that is shown says how to ask it; the answer takes it back. */
export function offerPage(ask: () => TriagePage | null): () => void {
  page = ask;
  return () => {
    if (page === ask) page = null;
  };
}

/** The triage page, or null on every other one. */
export const shownPage = (): TriagePage | null => page?.() ?? null;
