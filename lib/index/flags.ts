import { STATES, type State } from '../dead-letter/vocabulary';
import type { EntryRow } from './query';

/** What of an entry is not of its combo, in 7 bits: state, came back after a resolution, and where it may be shown. */
const STATE = 0b0000111;
const REOPENED = 0b0001000;
const PLACED = 0b0010000;
/** Where a viewer sees it: at its own cell (neither bit), nowhere, or at another cell. */
const PUBLIC_NONE = 0b0100000;
const PUBLIC_ELSEWHERE = 0b1000000;
/** Of a kind that no entry ever had. */
export const UNUSED = 255;

const CODES = new Map<string, number>(STATES.map((state, code) => [state, code]));
const RESOLVED = CODES.get('resolved');

/** @throws RangeError for a word that is no state. */
export function flagsOf({ entry_id, state, reopened, cell, public_cell }: EntryRow): number {
  const code = CODES.get(state);
  if (code === undefined) throw new RangeError(`entry ${entry_id}: no such state: ${state}`);
  const shown = public_cell === null ? PUBLIC_NONE : public_cell === cell ? 0 : PUBLIC_ELSEWHERE;
  return code | (reopened ? REOPENED : 0) | (cell === null ? 0 : PLACED) | shown;
}

export const stateCodeOf = (flags: number): number => flags & STATE;
export const stateOf = (flags: number): State => STATES[flags & STATE]!;
export const isUnresolved = (flags: number): boolean => (flags & STATE) !== RESOLVED;
export const isReopened = (flags: number): boolean => (flags & REOPENED) !== 0;
export const isElsewhere = (flags: number): boolean => (flags & PUBLIC_ELSEWHERE) !== 0;

/** Whether the asker's position of such an entry is the cell that the columns hold. */
export function isShownAtCell(flags: number, true_positions: boolean): boolean {
  if (true_positions) return (flags & PLACED) !== 0;
  return (flags & (PUBLIC_NONE | PUBLIC_ELSEWHERE)) === 0;
}

/** Whether the asker has no position of such an entry. */
export function isUnplaced(flags: number, true_positions: boolean): boolean {
  return true_positions ? (flags & PLACED) === 0 : (flags & PUBLIC_NONE) !== 0;
}
