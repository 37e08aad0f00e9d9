import type { Instant } from './answers';
import { Block, ROW_BYTES } from './block';
import { IdPages } from './id-pages';
import { canonical, dayOf, isFar, startOf } from './instants';
import { grown, MOST_ROWS, PlacedBlocks, splitCell } from './placed-blocks';

/**
 * The rows of all entries in blocks: those with a cell in blocks by place, the others in blocks of their own. A row's
 * block and slot are found by its entry's id. Nothing is sorted inside a block, so every change is a few writes.
 */
export class Rows {
  readonly placed = new PlacedBlocks();
  readonly unplaced: Block[] = [];
  /** Public cells of the entries that a viewer sees at another cell than their own. */
  readonly elsewhere = new Map<number, number>();
  /** Times that lie beyond the days of the columns, by entry. */
  readonly #far = new Map<number, Instant>();
  readonly #located = new IdPages();
  /** By id; block 0 is none. */
  readonly #by_id: (Block | undefined)[] = [undefined];
  readonly #free_ids: number[] = [];
  #size = 0;

  /** @param most rows of a block, at most MOST_ROWS. */
  constructor(readonly most: number = MOST_ROWS) {}

  get size(): number {
    return this.#size;
  }

  *blocks(): Generator<Block> {
    yield* this.placed.all;
    yield* this.unplaced;
  }

  get block_count(): number {
    return this.placed.all.length + this.unplaced.length;
  }

  /** Block × 65,536 + slot, or 0 for an entry that is not there. */
  locate(entry_id: number): number {
    return this.#located.get(entry_id);
  }

  blockOf(location: number): Block {
    return this.#by_id[location >>> 16]!;
  }

  kindAt(location: number): number {
    return this.blockOf(location).kind[location & (MOST_ROWS - 1)]!;
  }

  /** Microseconds since 1970, in their canonical form. */
  instantAt(block: Block, slot: number): Instant {
    const day = block.day[slot]!;
    if (isFar(day)) return this.#far.get(block.entry_id[slot]!)!;
    return startOf(day) + block.ms[slot]! * 1000 + block.micro[slot]!;
  }

  /** Adds the row of an entry that is not there. */
  insert(entry_id: number, kind: number, at: Instant, cell: number | null, public_cell: number | null): void {
    const block = cell === null ? this.#unplacedWithRoom() : this.#placedWithRoom(cell);
    const slot = block.size;
    block.size += 1;
    block.entry_id[slot] = entry_id;
    block.kind[slot] = kind;
    block.place(slot, cell ?? 0);
    this.#located.set(entry_id, block.id * MOST_ROWS + slot);
    this.#size += 1;
    this.#setInstant(block, slot, at);
    this.#setElsewhere(entry_id, cell, public_cell);
  }

  /** Gives the row of an entry that is there new values; its own cell stays. */
  update(location: number, kind: number, at: Instant, cell: number | null, public_cell: number | null): void {
    const block = this.blockOf(location);
    const slot = location & (MOST_ROWS - 1);
    block.kind[slot] = kind;
    this.#setInstant(block, slot, at);
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
    if (this.#far.size > 0) this.#far.delete(entry_id);
    if (this.elsewhere.size > 0) this.elsewhere.delete(entry_id);
    this.#size -= 1;
    if (block.size < block.capacity >>> 1) this.#shrink(block);
  }

  /** Bytes of the columns, the locator and what is kept beside them, and the share of the columns in use. */
  memory(): { bytes: number; fill: number } {
    let slots = 0;
    for (const block of this.blocks()) slots += block.capacity;
    const beside = (this.#far.size + this.elsewhere.size) * 48;
    return {
      bytes: slots * ROW_BYTES + this.#located.bytes + beside,
      fill: slots === 0 ? 1 : this.#size / slots,
    };
  }

  #setInstant(block: Block, slot: number, at: Instant): void {
    const day = dayOf(at);
    block.day[slot] = day;
    if (isFar(day)) {
      block.ms[slot] = 0;
      block.micro[slot] = 0;
      this.#far.set(block.entry_id[slot]!, canonical(at));
      return;
    }
    const rest = Number(at) - startOf(day);
    const ms = Math.floor(rest / 1000);
    block.ms[slot] = ms;
    block.micro[slot] = rest - ms * 1000;
    if (this.#far.size > 0) this.#far.delete(block.entry_id[slot]!);
  }

  #setElsewhere(entry_id: number, cell: number | null, public_cell: number | null): void {
    if (public_cell !== null && public_cell !== cell) this.elsewhere.set(entry_id, public_cell);
    else if (this.elsewhere.size > 0) this.elsewhere.delete(entry_id);
  }

  #unplacedWithRoom(): Block {
    const last = this.unplaced.at(-1);
    if (last && last.size < this.most) return this.#withRoom(last);
    const roomy = this.unplaced.findIndex((block) => block.size < this.most * 0.75);
    if (roomy >= 0) {
      const [block] = this.unplaced.splice(roomy, 1);
      this.unplaced.push(block!);
      return this.#withRoom(block!);
    }
    const block = this.#make(Number.NaN, 16);
    this.unplaced.push(block);
    return block;
  }

  #placedWithRoom(cell: number): Block {
    const blocks = this.placed.all;
    if (blocks.length === 0) blocks.push(this.#make(cell, 16));
    for (;;) {
      const index = this.placed.indexFor(cell);
      const block = blocks[index]!;
      if (cell < block.first && this.placed.isOneCell(index)) blocks.unshift(this.#make(cell, 16));
      else if (block.size >= this.most) this.#split(index, cell);
      else {
        if (cell < block.first) block.first = cell;
        return this.#withRoom(block);
      }
    }
  }

  #withRoom(block: Block): Block {
    if (block.size === block.capacity) block.resize(grown(block.size + 1, this.most));
    return block;
  }

  #split(index: number, cell: number): void {
    const blocks = this.placed.all;
    const block = blocks[index]!;
    const at = splitCell(block, cell, index === blocks.length - 1);
    if (at === null) {
      // the block keeps its one cell; what comes next goes behind it, to another of the same bound, or before it
      block.first = block.cellAt(0);
      if (cell >= block.first) blocks.splice(index + 1, 0, this.#make(block.first, 16));
      else if (index === 0) blocks.unshift(this.#make(cell, 16));
      return;
    }
    const right: number[] = [];
    for (let slot = 0; slot < block.size; slot += 1) if (block.cellAt(slot) >= at) right.push(slot);
    const next = this.#make(at, grown(right.length, this.most));
    blocks.splice(index + 1, 0, next);
    if (right.length === 0) return;
    for (const slot of right) {
      next.copy(block, slot, next.size);
      next.size += 1;
    }
    // from the last on, so that the row which takes a slot is one that stays
    for (let i = right.length - 1; i >= 0; i -= 1) {
      block.size -= 1;
      if (right[i]! !== block.size) block.copy(block, block.size, right[i]!);
    }
    block.resize(grown(block.size, this.most));
    this.#relocate(block);
    this.#relocate(next);
  }

  #relocate(block: Block): void {
    const from = block.id * MOST_ROWS;
    for (let slot = 0; slot < block.size; slot += 1) this.#located.set(block.entry_id[slot]!, from + slot);
  }

  /** Gives back what a block that lost many rows does not need, and the block where it lost all. */
  #shrink(block: Block): void {
    const list = block.placed ? this.placed.all : this.unplaced;
    if (block.size === 0) {
      list.splice(list.indexOf(block), 1);
      this.#by_id[block.id] = undefined;
      this.#free_ids.push(block.id);
    } else if (block.capacity > 64) block.resize(grown(block.size, this.most));
  }

  #make(first: number, capacity: number): Block {
    const id = this.#free_ids.pop() ?? this.#by_id.length;
    if (id >= MOST_ROWS) throw new RangeError('the triage index holds no more blocks than 65,535');
    const block = new Block(id, first, Math.min(capacity, this.most));
    this.#by_id[id] = block;
    return block;
  }
}
