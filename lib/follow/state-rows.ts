import type { StateColumns } from '@/db/queries/state-columns';
import { STATES } from '@/lib/dead-letter/vocabulary';
import type { EntryRow } from '@/lib/index/query';

/** Bytes before the first element that `array_send` writes, and from one element of eight bytes to the next. */
const HEADER = 20;
const STRIDE = 12;
/** From the start of an element to its value: the length goes before it. */
const LENGTH = 4;
const HIGH = 2 ** 32;
/** Microseconds from 1970 to 2000, where PostgreSQL counts from. */
const TO_1970 = 946_684_800_000_000;
const INFINITY = 2n ** 63n - 1n;
const MINUS_INFINITY = -(2n ** 63n);

/** Where rows go. */
export interface RowSink {
  put(row: EntryRow): void;
  remove(entry_id: number): void;
}

/** How many rows the columns hold. */
export function rowCount({ entry_ids }: StateColumns): number {
  return entry_ids ? (entry_ids.length - HEADER) / STRIDE : 0;
}

/** The combos that these rows have and `hasCombo` does not, each once. */
export function missingCombos({ facts }: StateColumns, hasCombo: (id: number) => boolean): number[] {
  const missing = new Set<number>();
  for (let at = HEADER + LENGTH; facts && at < facts.length; at += STRIDE) {
    const fact = int64(facts, at);
    const combo = Math.floor(fact / 16);
    if (fact >= 0 && !hasCombo(combo)) missing.add(combo);
  }
  return [...missing];
}

/**
 * Hands the rows [first, end) on, and takes those out whose entry is no more.
 * @throws RangeError for an entry's id over 2^53.
 */
export function handOn(columns: StateColumns, sink: RowSink, first: number, end: number): void {
  const { entry_ids, facts, failed_at, cells, public_cells } = columns;
  if (!entry_ids || !facts || !failed_at || !cells || !public_cells) return;
  for (let row = first, at = HEADER + LENGTH + first * STRIDE; row < end; row += 1, at += STRIDE) {
    const entry_id = int64(entry_ids, at);
    const fact = int64(facts, at);
    if (fact < 0) {
      sink.remove(entry_id);
      continue;
    }
    const cell = int64(cells, at);
    const public_cell = int64(public_cells, at);
    sink.put({
      entry_id,
      combo: Math.floor(fact / 16),
      // array_position counts from one
      state: STATES[((fact % 16) >> 1) - 1]!,
      reopened: (fact & 1) === 1,
      failed_at_us: microseconds(failed_at, at),
      cell: cell < 0 ? null : cell,
      public_cell: public_cell < 0 ? null : public_cell,
    });
  }
}

function int64(buffer: Buffer, at: number): number {
  return buffer.readInt32BE(at) * HIGH + buffer.readUInt32BE(at + 4);
}

function microseconds(buffer: Buffer, at: number): number | bigint {
  const since_2000 = int64(buffer, at);
  const since_1970 = since_2000 + TO_1970;
  if (Number.isSafeInteger(since_2000) && Number.isSafeInteger(since_1970)) return since_1970;
  const exact = buffer.readBigInt64BE(at);
  if (exact === INFINITY) return Number.POSITIVE_INFINITY;
  if (exact === MINUS_INFINITY) return Number.NEGATIVE_INFINITY;
  return exact + BigInt(TO_1970);
}
