import type { Db, Tx } from '@/db/client';
import type { SourceCrs } from '@/db/queries/place-vertices';
import { projectDegrees } from '@/db/queries/project-degrees';
import type { Bbox } from '@/lib/crs/registry/registry';

/** Points a side of the lattice: 9 × 9, of which its border is drawn. */
const SIDE = 9;
/** CRSs held: constant once computed, 1 kB each. */
const MOST_HELD = 1_000;
const held = new Map<string, [number, number][] | null>();

/**
 * The outline of an area of use (degrees) in source units, by the database's PROJ; a point that has no place is left out.
 * Null where fewer than three have one.
 */
export async function areaOfUseSource(db: Db | Tx, area: Bbox, source: SourceCrs): Promise<[number, number][] | null> {
  const key = JSON.stringify([area, source]);
  const known = held.get(key);
  if (known !== undefined) return known;
  const projected = await projectDegrees(db, borderOf(area), source);
  const ring: [number, number][] = [];
  for (let i = 0; i < projected.length; i += 2) {
    const [x, y] = [projected[i], projected[i + 1]];
    if (typeof x === 'number' && typeof y === 'number' && Number.isFinite(x) && Number.isFinite(y)) ring.push([x, y]);
  }
  const outline = ring.length < 3 ? null : ring;
  if (held.size >= MOST_HELD) held.delete(held.keys().next().value as string);
  held.set(key, outline);
  return outline;
}

/** The 32 points of the border, from the south-west corner on, counter-clockwise. West > east crosses 180°. */
export function borderOf([west, south, east, north]: Bbox): number[] {
  const width = east < west ? east - west + 360 : east - west;
  const last = SIDE - 1;
  const at = (column: number, row: number) => {
    const lon = west + (width * column) / last;
    return [lon > 180 ? lon - 360 : lon, south + ((north - south) * row) / last];
  };
  const steps = Array.from({ length: last }, (_, i) => i);
  return [
    ...steps.map((i) => at(i, 0)),
    ...steps.map((i) => at(last, i)),
    ...steps.map((i) => at(last - i, last)),
    ...steps.map((i) => at(0, last - i)),
  ].flat();
}
