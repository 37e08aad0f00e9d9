import { Block } from './block';
import { grown, MOST_ROWS, PlacedBlocks, splitCell } from './placed-blocks';

/** All blocks: those of rows with a cell, by place, and the others. They are made, split and given back here. */
export class Blocks {
  readonly placed = new PlacedBlocks();
  readonly unplaced: Block[] = [];
  /** By id; block 0 is none. */
  readonly #by_id: (Block | undefined)[] = [undefined];
  readonly #free_ids: number[] = [];
  readonly #moved: (block: Block) => void;

  /** @param most rows of a block, at most MOST_ROWS. @param moved is told of a block whose rows have new slots. */
  constructor(
    readonly most: number,
    moved: (block: Block) => void,
  ) {
    this.#moved = moved;
  }

  *all(): Generator<Block> {
    yield* this.placed.all;
    yield* this.unplaced;
  }

  get count(): number {
    return this.placed.all.length + this.unplaced.length;
  }

  of(id: number): Block {
    return this.#by_id[id]!;
  }

  /** The block for one more row at the cell; it has a slot for it. */
  withRoom(cell: number | null): Block {
    const block = cell === null ? this.#unplacedWithRoom() : this.#placedWithRoom(cell);
    if (block.size === block.capacity) block.resize(grown(block.size + 1, this.most));
    return block;
  }

  /** Gives back what a block that lost many rows does not need, and the block where it lost all. */
  shrink(block: Block): void {
    const list = block.placed ? this.placed.all : this.unplaced;
    if (block.size === 0) {
      list.splice(list.indexOf(block), 1);
      this.#by_id[block.id] = undefined;
      this.#free_ids.push(block.id);
    } else if (block.capacity > 64) block.resize(grown(block.size, this.most));
  }

  #unplacedWithRoom(): Block {
    const last = this.unplaced.at(-1);
    if (last && last.size < this.most) return last;
    const roomy = this.unplaced.findIndex((block) => block.size < this.most * 0.75);
    if (roomy >= 0) {
      const [block] = this.unplaced.splice(roomy, 1);
      this.unplaced.push(block!);
      return block!;
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
        return block;
      }
    }
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
    this.#moved(block);
    this.#moved(next);
  }

  #make(first: number, capacity: number): Block {
    const id = this.#free_ids.pop() ?? this.#by_id.length;
    if (id >= MOST_ROWS) throw new RangeError('the triage index holds no more blocks than 65,535');
    const block = new Block(id, first, Math.min(capacity, this.most));
    this.#by_id[id] = block;
    return block;
  }
}
