import type { Instant } from './answers';
import { type Block, ROW_BYTES } from './block';
import { Blocks } from './blocks';
import { IdPages } from './id-pages';
import { MOST_ROWS, type PlacedBlocks } from './placed-blocks';
import { RowTimes } from './row-times';

/**
 * The rows of all entries in blocks: those with a cell in blocks by place, the others in blocks of their own. A row's
 * block and slot are found by its entry's id. Nothing is sorted inside a block, so every change is a few writes.
 */
export class Rows {
  /** Public cells of the entries that a viewer sees at another cell than their own. */
  readonly elsewhere = new Map<number, number>();
  readonly #times = new RowTimes();
  readonly #blocks: Blocks;
  readonly #located = new IdPages();
  #size = 0;

  /** @param most rows of a block, at most MOST_ROWS. */
  constructor(readonly most: number = MOST_ROWS) {
    this.#blocks = new Blocks(most, (block) => this.#relocate(block));
  }

  get placed(): PlacedBlocks {
    return this.#blocks.placed;
  }

  get unplaced(): readonly Block[] {
    return this.#blocks.unplaced;
  }

  get size(): number {
    return this.#size;
  }

  blocks(): Iterable<Block> {
    return this.#blocks.all();
  }

  get block_count(): number {
    return this.#blocks.count;
  }

  /** Block × 65,536 + slot, or 0 for an entry that is not there. */
  locate(entry_id: number): number {
    return this.#located.get(entry_id);
  }

  blockOf(location: number): Block {
    return this.#blocks.of(location >>> 16);
  }

  kindAt(location: number): number {
    return this.blockOf(location).kind[location & (MOST_ROWS - 1)]!;
  }

  /** Microseconds since 1970, in their canonical form. */
  instantAt(block: Block, slot: number): Instant {
    return this.#times.at(block, slot);
  }

  /** Adds the row of an entry that is not there. */
  insert(entry_id: number, kind: number, at: Instant, cell: number | null, public_cell: number | null): void {
    const block = this.#blocks.withRoom(cell);
    const slot = block.size;
    block.size += 1;
    block.entry_id[slot] = entry_id;
    block.kind[slot] = kind;
    block.place(slot, cell ?? 0);
    this.#located.set(entry_id, block.id * MOST_ROWS + slot);
    this.#size += 1;
    this.#times.set(block, slot, at);
    this.#setElsewhere(entry_id, cell, public_cell);
  }

  /** Gives the row of an entry that is there new values; its own cell stays. */
  update(location: number, kind: number, at: Instant, cell: number | null, public_cell: number | null): void {
    const block = this.blockOf(location);
    const slot = location & (MOST_ROWS - 1);
    block.kind[slot] = kind;
    this.#times.set(block, slot, at);
    this.#setElsewhere(block.entry_id[slot]!, cell, public_cell);
  }

  /** Whether the row is at the cell. */
  isAt(location: number, cell: number | null): boolean {
    const block = this.blockOf(location);
    if (cell === null || !block.placed) return cell === null && !block.placed;
    return block.cellAt(location & (MOST_ROWS - 1)) === cell;
  }

  /** Takes the row of an entry that is there out; the last one of its block takes the slot. */
  remove(location: number): void {
    const block = this.blockOf(location);
    const slot = location & (MOST_ROWS - 1);
    const entry_id = block.entry_id[slot]!;
    const last = block.size - 1;
    if (slot !== last) {
      block.copy(block, last, slot);
      this.#located.set(block.entry_id[slot]!, location);
    }
    block.size = last;
    this.#located.set(entry_id, 0);
    this.#times.forget(entry_id);
    if (this.elsewhere.size > 0) this.elsewhere.delete(entry_id);
    this.#size -= 1;
    if (block.size < block.capacity >>> 1) this.#blocks.shrink(block);
  }

  /** Bytes of the columns, the locator and what is kept beside them, and the share of the columns in use. */
  memory(): { bytes: number; fill: number } {
    let slots = 0;
    for (const block of this.blocks()) slots += block.capacity;
    const beside = (this.#times.far + this.elsewhere.size) * 48;
    return {
      bytes: slots * ROW_BYTES + this.#located.bytes + beside,
      fill: slots === 0 ? 1 : this.#size / slots,
    };
  }

  #setElsewhere(entry_id: number, cell: number | null, public_cell: number | null): void {
    if (public_cell !== null && public_cell !== cell) this.elsewhere.set(entry_id, public_cell);
    else if (this.elsewhere.size > 0) this.elsewhere.delete(entry_id);
  }

  #relocate(block: Block): void {
    const from = block.id * MOST_ROWS;
    for (let slot = 0; slot < block.size; slot += 1) this.#located.set(block.entry_id[slot]!, from + slot);
  }
}
