'use client';
import { useCallback, useEffect, useState } from 'react';
import { type ColumnChoice, type ColumnId, columnOf, readChoice, USUAL } from './list-columns.model';

const KEY = 'dlo-columns';

/** The columns that this person chose in this browser; null are the usual ones. A change begins with what is shown. */
export function useColumnChoice() {
  const [choice, setChoice] = useState<ColumnChoice | null>(null);
  useEffect(() => {
    try {
      setChoice(readChoice(localStorage.getItem(KEY)));
    } catch {
      // a browser without storage: the usual columns
    }
  }, []);
  const change = useCallback((next: ColumnChoice | null) => {
    setChoice(next);
    try {
      if (next) localStorage.setItem(KEY, JSON.stringify(next));
      else localStorage.removeItem(KEY);
    } catch {
      // the choice lasts as long as the page
    }
  }, []);
  const changeBy = useCallback(
    (by: (from: ColumnChoice) => ColumnChoice) => change(by(choice ?? usualShown())),
    [change, choice],
  );
  return { choice, change, changeBy };
}
export type Columns = ReturnType<typeof useColumnChoice>;

/** The columns on the page now. Which of the usual ones fit is decided by the style sheet. */
export function shownColumns(): ColumnId[] {
  return [...document.querySelectorAll<HTMLElement>('.entries th[data-column]')]
    .filter((head) => head.offsetWidth > 0)
    .map((head) => head.dataset.column as ColumnId)
    .filter((id) => columnOf(id) !== undefined);
}

/** What is in the bar because every row has it stays chosen: other rows may come. */
function usualShown(): ColumnChoice {
  const shown = new Set(shownColumns());
  const heads = new Set([...document.querySelectorAll<HTMLElement>('.entries th')].map((th) => th.dataset.column));
  const chosen = USUAL.filter((id) => shown.has(id) || (!heads.has(id) && id !== 'work_key'));
  return (chosen.includes('work_key') ? chosen : ['work_key' as const, ...chosen]).map((id) => ({ id }));
}
