import type { CellCount, FoldLimits, IndexFold, IndexMemory, PageOrder, TileAddress, TilePoint } from './answers';
import type { ComboRow, EntryRow, IndexQuery } from './query';

/**
 * A copy of `dlq.state` for triage: answers exactly what the SQL of `db/filter-sql.ts` and of the queries of the triage
 * page answers at the same revision.
 */
export class TriageIndex {
  hasCombo(_id: number): boolean {
    throw new Error('not yet');
  }

  /** Adds a combo; one that is there already is left as it is, since a combo never changes. */
  addCombo(_row: ComboRow): void {
    throw new Error('not yet');
  }

  /** Inserts the row, or replaces the one of the same entry. @throws RangeError for an id over 2^32 − 1 or a combo that was not added. */
  put(_row: EntryRow): void {
    throw new Error('not yet');
  }

  /** Takes the entry out, if it is there. */
  remove(_entry_id: number): void {
    throw new Error('not yet');
  }

  has(_entry_id: number): boolean {
    throw new Error('not yet');
  }

  /** Number of entries. */
  get size(): number {
    return 0;
  }

  memory(): IndexMemory {
    throw new Error('not yet');
  }

  fold(_query: IndexQuery, _limits: FoldLimits): IndexFold {
    throw new Error('not yet');
  }

  /** Ids of the entries that match, in the order of (failed_at, entry_id). */
  page(_query: IndexQuery, _order: PageOrder): Uint32Array {
    throw new Error('not yet');
  }

  count(_query: IndexQuery): number {
    throw new Error('not yet');
  }

  /** The cells of a tile, `deeper` zooms below it, that hold a match; in no order. */
  cells(_query: IndexQuery, _tile: TileAddress, _deeper: number): CellCount[] {
    throw new Error('not yet');
  }

  /** The newest `most` matches of a tile, newest first. */
  points(_query: IndexQuery, _tile: TileAddress, _most: number): TilePoint[] {
    throw new Error('not yet');
  }

  /** Ids of at most `most` entries that match, in no order. */
  ids(_query: IndexQuery, _most: number): Uint32Array {
    throw new Error('not yet');
  }
}
