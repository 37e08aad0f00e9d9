import type { CellCount, FoldLimits, IndexFold, IndexMemory, PageOrder, TileAddress, TilePoint } from './answers';
import { Bases } from './bases';
import { countStates, type StateCount } from './depth';
import { flagsOf, isReopened, stateOf } from './flags';
import { foldMatching } from './fold';
import { Kinds } from './kinds';
import { countMatching, firstMatching, idsMatching } from './matching-rows';
import type { ComboRow, EntryRow, IndexQuery } from './query';
import { Rows } from './rows';
import { Scratch } from './scan';
import { cellsOfTile, countCells } from './tile-cells';
import { Values } from './values';

const LARGEST_ID = 2 ** 32 - 1;

/**
 * A copy of `dlq.state` for triage: answers exactly what the SQL of `db/filter-sql.ts` and of the queries of the triage
 * page answers at the same revision.
 */
export class TriageIndex {
  readonly #held: {
    rows: Rows;
    kinds: Kinds;
    bases: Bases;
    versions: Values;
    signatures: Values;
    scratch: Scratch;
  };

  /** @param block_rows the most rows of a block, 2 … 65,536. */
  constructor({ block_rows }: { block_rows?: number } = {}) {
    this.#held = {
      rows: new Rows(block_rows),
      kinds: new Kinds(),
      bases: new Bases(),
      versions: new Values(),
      signatures: new Values(),
      scratch: new Scratch(),
    };
  }

  hasCombo(id: number): boolean {
    return this.#held.kinds.hasCombo(id);
  }

  /** Adds a combo; one that is there already is left as it is, since a combo never changes. */
  addCombo(row: ComboRow): void {
    const { kinds, bases, versions, signatures } = this.#held;
    if (kinds.hasCombo(row.id)) return;
    kinds.addCombo(row.id, bases.add(row), versions.add(row.code_version), signatures.add(row.signature));
  }

  /** Inserts the row, or replaces the one of the same entry. @throws RangeError for an id over 2^32 − 1 or a combo that was not added. */
  put(row: EntryRow): void {
    const { rows, kinds } = this.#held;
    const { entry_id, failed_at_us, cell, public_cell } = row;
    if (!(entry_id >= 1 && entry_id <= LARGEST_ID))
      throw new RangeError(`entry ${entry_id}: the triage index holds ids up to ${LARGEST_ID}`);
    const kind = kinds.enter(row.combo, flagsOf(row), failed_at_us);
    const location = rows.locate(entry_id);
    if (location !== 0) {
      kinds.leave(rows.kindAt(location));
      if (rows.isAt(location, cell)) {
        rows.update(location, kind, failed_at_us, cell, public_cell);
        return;
      }
      rows.remove(location);
    }
    rows.insert(entry_id, kind, failed_at_us, cell, public_cell);
  }

  /** Takes the entry out, if it is there. */
  remove(entry_id: number): void {
    const { rows, kinds } = this.#held;
    const location = rows.locate(entry_id);
    if (location === 0) return;
    kinds.leave(rows.kindAt(location));
    rows.remove(location);
  }

  has(entry_id: number): boolean {
    return this.#held.rows.locate(entry_id) !== 0;
  }

  /** Number of entries. */
  get size(): number {
    return this.#held.rows.size;
  }

  memory(): IndexMemory {
    const { rows, kinds, bases, versions, signatures, scratch } = this.#held;
    const { bytes, fill } = rows.memory();
    return {
      bytes: bytes + kinds.bytes + bases.bytes + versions.bytes + signatures.bytes + scratch.bytes,
      rows: rows.size,
      combos: kinds.combos,
      kinds: kinds.occurring(),
      blocks: rows.block_count,
      fill,
    };
  }

  fold(query: IndexQuery, limits: FoldLimits): IndexFold {
    return foldMatching(this.#held, query, limits);
  }

  /** How many entries of each class are in each state. */
  states(): StateCount[] {
    return countStates(this.#held);
  }

  /** Ids of the entries that match, in the order of (failed_at, entry_id). */
  page(query: IndexQuery, order: PageOrder): Uint32Array {
    return Uint32Array.from(firstMatching(this.#held, query, order), ({ entry_id }) => entry_id);
  }

  count(query: IndexQuery): number {
    return countMatching(this.#held, query);
  }

  /** The cells of a tile, `deeper` (≤ 8) zooms below it, that hold a match; in no order. */
  cells(query: IndexQuery, tile: TileAddress, deeper: number): CellCount[] {
    return countCells(this.#held, query, tile, deeper);
  }

  /** The newest `most` matches of a tile, newest first. */
  points(query: IndexQuery, tile: TileAddress, most: number): TilePoint[] {
    const { kinds, bases } = this.#held;
    const newest = firstMatching(this.#held, query, { dir: 'desc', limit: most }, cellsOfTile(tile));
    return newest.map(({ block, slot, entry_id }) => {
      const kind = block.kind[slot]!;
      const flags = kinds.flags[kind]!;
      return {
        entry_id,
        cell: block.cellAt(slot),
        failure_class: bases.values.failure_class.textOf(bases.codes.failure_class[kinds.base[kind]!]!)!,
        reopened: isReopened(flags),
        state: stateOf(flags),
      };
    });
  }

  /** Ids of at most `most` entries that match, in no order. */
  ids(query: IndexQuery, most: number): Uint32Array {
    return idsMatching(this.#held, query, most);
  }
}
