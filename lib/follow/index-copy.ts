import type { ClientBase } from 'pg';
import { beginSnapshot, type Moment } from '@/db/queries/begin-snapshot';
import { loadCombos, readCombos } from '@/db/queries/load-combos';
import { countStatePages, loadStates } from '@/db/queries/load-states';
import { type ChangePart, listChanges, readChangedStates, readChanges } from '@/db/queries/read-changes';
import type { StateColumns } from '@/db/queries/state-columns';
import type { ComboRow } from '@/lib/index/query';
import { handOn, missingCombos, type RowSink, rowCount } from './state-rows';

/** What is filled and kept up. */
export interface Copy extends RowSink {
  hasCombo(id: number): boolean;
  addCombo(row: ComboRow): void;
}

/** Pages of dlq.state a statement at the start: some 15,000 rows, 2 MB on the way. */
const LOAD_PAGES = 256;
const LOAD_COMBOS = 20_000;
/** Changed entries that are taken at once: some 20 ms. More are read in parts, and questions are answered in between. */
export const AT_ONCE = 10_000;
/** Entries a part: of a change of a million, PostgreSQL unpacks the whole list for each. */
export const PART = 50_000;
/** Rows between two looks at the clock, and how long the thread may then go on without answering, milliseconds. */
const SLICE = 2_000;
const BUSY_MS = 10;

/** Called for the rows that have been taken in. */
export type Progress = (rows: number) => void;

/** Fills an empty copy with what one moment shows. */
export async function load(client: ClientBase, copy: Copy, progress: Progress): Promise<Moment> {
  const moment = await beginSnapshot(client);
  try {
    // the server reads on while what it has sent is taken in
    for (let next = ahead(loadCombos(client, 0, LOAD_COMBOS)); ; ) {
      const combos = await next;
      const last = combos.at(-1);
      if (!last) break;
      next = ahead(loadCombos(client, last.id, LOAD_COMBOS));
      for (const combo of combos) copy.addCombo(combo);
    }
    const pages = await countStatePages(client);
    const read = (page: number) => (page < pages ? ahead(loadStates(client, page, page + LOAD_PAGES)) : null);
    let next = read(0);
    for (let page = LOAD_PAGES; next; page += LOAD_PAGES) {
      const columns = await next;
      next = read(page);
      await take(columns, copy, progress);
    }
  } finally {
    await client.query('commit').catch(() => {});
  }
  return moment;
}

/**
 * Takes in what changed since a moment, and answers the later one that the copy then shows. A change of more than AT_ONCE
 * entries goes in by parts: until the last one is in, the copy shows some of it already.
 */
export async function catchUp(client: ClientBase, copy: Copy, since: Moment, progress: Progress): Promise<Moment> {
  const { moment, states } = await readChanges(client, since.snapshot, AT_ONCE);
  if (states) {
    await addMissingCombos(client, copy, states);
    handOn(states, copy, 0, rowCount(states));
    progress(rowCount(states));
    return moment;
  }
  const later = await beginSnapshot(client);
  try {
    for (const parts of inParts(await listChanges(client, since.snapshot))) {
      const columns = await readChangedStates(client, parts);
      await addMissingCombos(client, copy, columns);
      await take(columns, copy, progress);
    }
  } finally {
    await client.query('commit').catch(() => {});
  }
  return later;
}

/** The changes as lists of stretches, each list of at most `most` entries. */
export function inParts(changes: readonly { rev: string; entries: number }[], most = PART): ChangePart[][] {
  const lists: ChangePart[][] = [];
  let list: ChangePart[] = [];
  let room = most;
  for (const { rev, entries } of changes)
    for (let first = 1; first <= entries; ) {
      const last = Math.min(entries, first + room - 1);
      list.push({ rev, first, last });
      room -= last - first + 1;
      first = last + 1;
      if (room > 0) continue;
      lists.push(list);
      [list, room] = [[], most];
    }
  return list.length > 0 ? [...lists, list] : lists;
}

/** A promise that is awaited later: its failure is for who awaits it, also where nobody does any more. */
function ahead<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}

async function addMissingCombos(client: ClientBase, copy: Copy, columns: StateColumns): Promise<void> {
  const missing = missingCombos(columns, (id) => copy.hasCombo(id));
  if (missing.length === 0) return;
  for (const combo of await readCombos(client, missing)) copy.addCombo(combo);
}

async function take(columns: StateColumns, copy: Copy, progress: Progress): Promise<void> {
  const rows = rowCount(columns);
  let since = performance.now();
  for (let first = 0; first < rows; first += SLICE) {
    const end = Math.min(rows, first + SLICE);
    handOn(columns, copy, first, end);
    progress(end - first);
    if (performance.now() - since < BUSY_MS) continue;
    await new Promise((resolve) => setImmediate(resolve));
    since = performance.now();
  }
}
