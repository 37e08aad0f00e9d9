import { CLASS_SYMBOLS, SYMBOL_CLASSES, type SymbolClass } from '@/components/ui/class-symbol';
import type { Palette } from './palette';
import { circle, newRaster, outline, paint, type Raster, rectangle } from './raster';

/** Side of a cell's square in CSS pixels, by its number of entries: from 1, 3, 10, 30 and 100 on. */
export const CELL_SIDES: readonly { from: number; side: number }[] = [
  { from: 1, side: 4 },
  { from: 3, side: 7 },
  { from: 10, side: 10 },
  { from: 30, side: 13 },
  { from: 100, side: 15 },
];

export function cellSide(total: number): number {
  let side = CELL_SIDES[0]!.side;
  for (const step of CELL_SIDES) if (total >= step.from) side = step.side;
  return side;
}

/**
 * A class's share in steps of 1/31, rounded up so that one entry among thousands still shows. Coarse enough that
 * pictures are shared between cells, fine enough for a square of 15 px.
 */
export const SHARE_STEPS = 31;

/** What is drawn of a cell: its side, shares in `SHARE_STEPS` per class of `SYMBOL_CLASSES`, and the ring. */
export type CellPicture = { side: number; shares: number[]; reopened: boolean };

/** `cell|side|s0.s1.s2.s3.s4.s5|0`: what `cellKeyExpression` of the style makes out of a feature. */
export function cellKey({ side, shares, reopened }: CellPicture): string {
  return `cell|${side}|${shares.join('.')}|${reopened ? 1 : 0}`;
}

export function cellPicture(counts: Partial<Record<SymbolClass, number>>, reopened: number): CellPicture {
  const total = SYMBOL_CLASSES.reduce((sum, name) => sum + (counts[name] ?? 0), 0);
  return {
    side: cellSide(total),
    shares: SYMBOL_CLASSES.map((name) => (total === 0 ? 0 : Math.ceil((SHARE_STEPS * (counts[name] ?? 0)) / total))),
    reopened: reopened > 0,
  };
}

/** The reverse of `cellKey`; null for a name that is not a cell's. */
export function parseCellKey(key: string): CellPicture | null {
  const [kind, side, shares, ring] = key.split('|');
  if (kind !== 'cell' || !side || !shares) return null;
  return { side: Number(side), shares: shares.split('.').map(Number), reopened: ring === '1' };
}

/** Heights in whole pixels from below, largest class first: at most three classes, none under 2 px. */
export function bands({ side, shares }: CellPicture): { name: SymbolClass; height: number }[] {
  const present = SYMBOL_CLASSES.map((name, i) => ({ name, share: shares[i] ?? 0 }))
    .filter((each) => each.share > 0)
    .sort((a, b) => b.share - a.share)
    .slice(0, Math.min(3, Math.floor(side / 2)));
  const sum = present.reduce((total, each) => total + each.share, 0);
  const lesser = present
    .slice(1)
    .map(({ name, share }) => ({ name, height: Math.max(2, Math.round((share / sum) * side)) }));
  const largest = present[0];
  if (!largest) return [];
  const rest = side - lesser.reduce((total, each) => total + each.height, 0);
  return [{ name: largest.name, height: rest }, ...lesser];
}

/** Room round the square: the ring reaches over its top right corner, and the square must stay in the middle. */
const ROOM = 6;
export const RING_RADIUS = 3.4;

/** The "came back" ring round (x, y). */
export function paintRing(raster: Raster, x: number, y: number, palette: Palette): void {
  const ring = circle(x, y, RING_RADIUS);
  paint(raster, ring, palette.raised);
  paint(raster, outline(ring, 1.75), palette.bad);
}

/** The picture of a cell at `ratio` device pixels to a CSS pixel; its middle is the cell's position. */
export function cellImage(picture: CellPicture, palette: Palette, ratio: number): Raster {
  const { side } = picture;
  const raster = newRaster(side + 2 * ROOM, side + 2 * ROOM, ratio);
  let bottom = ROOM + side;
  const filled = bands(picture);
  for (const { name, height } of filled) {
    paint(raster, rectangle(ROOM, bottom - height, side, height), palette[`c-${CLASS_SYMBOLS[name].token}`]);
    bottom -= height;
  }
  if (filled[0]) {
    const edge = rectangle(ROOM - 0.5, ROOM - 0.5, side + 1, side + 1, 1.5);
    paint(raster, outline(edge, 1), palette[`c-${CLASS_SYMBOLS[filled[0].name].token}-edge`]);
  }
  if (picture.reopened) paintRing(raster, ROOM + side, ROOM, palette);
  return raster;
}
