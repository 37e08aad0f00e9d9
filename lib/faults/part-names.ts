import { DEPTH, PARENT, PART_COLUMNS } from '@/lib/wkb/parts-table';
import type { WkbReading } from '@/lib/wkb/reading';

/** Paths and names of rows of the parts table. */
export class PartNames {
  private readonly ordinals: Int32Array;
  private readonly parts: Int32Array;

  constructor(reading: Pick<WkbReading, 'parts' | 'part_count'>) {
    this.parts = reading.parts;
    this.ordinals = new Int32Array(reading.part_count);
    const next: number[] = [];
    for (let row = 0; row < reading.part_count; row++) {
      const depth = this.parts[row * PART_COLUMNS + DEPTH] as number;
      const ordinal = next[depth] ?? 0;
      this.ordinals[row] = ordinal;
      next[depth] = ordinal + 1;
      next[depth + 1] = 0;
    }
  }

  /** Zero-based from the root, as in findings. */
  pathOf(row: number): number[] {
    const path: number[] = [];
    for (let at = row; at >= 0; at = this.parts[at * PART_COLUMNS + PARENT] as number)
      path.push(this.ordinals[at] as number);
    path.pop();
    return path.reverse();
  }

  /** 'ring 0', or 'ring 0 of part 2.1' where the polygon is not the whole geometry. */
  ring(row: number): string {
    const path = this.pathOf(row);
    const part = path.slice(0, -1);
    return `ring ${path.at(-1) ?? 0}${part.length > 0 ? ` of part ${part.join('.')}` : ''}`;
  }

  part(row: number): string {
    const path = this.pathOf(row);
    return path.length > 0 ? `part ${path.join('.')}` : 'the geometry';
  }
}
