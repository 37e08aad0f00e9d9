import { kilometresText } from '@/components/ui/number-text';
import type { Claim } from '@/lib/contract/entry';
import { metresBetween } from '@/lib/crs/sphere';

const METRES: ReadonlyMap<string, number> = new Map([
  ['metre', 1],
  ['foot', 0.3048],
  ['us survey foot', 1200 / 3937],
  ['kilometre', 1000],
  ["clarke's foot", 0.3047972654],
  ['british foot (sears 1922)', 0.3047994715],
  ['british yard (sears 1922)', 0.9143984146],
  ['indian yard', 0.9143985308],
]);

/** A unit's name for many: `metres`, `US survey feet`, `degrees`. */
export function unitsText(unit: string): string {
  const [name = '', ...note] = unit.split(/(?= \()/);
  const many = /foot$/.test(name) ? name.replace(/foot$/, 'feet') : /s$/.test(name) ? name : `${name}s`;
  return name === 'degree' ? many : [many, ...note].join('');
}

/** How the numbers are read, for the pane's caption: `read as metres`. */
export function readAsText(claim: Pick<Claim, 'unit'> | null, src_crs: string | null): string {
  if (claim?.unit) return `read as ${unitsText(claim.unit)}`;
  return src_crs === null ? 'no CRS claimed' : `claims ${src_crs}`;
}

const inDegrees = (unit: string | null | undefined) => unit !== null && unit !== undefined && /^degree/.test(unit);
const isLonLat = ([x, y]: readonly [number, number]) => Math.abs(x) <= 360 && Math.abs(y) <= 90;

/** `1,460 km` from one place in source units to another; null where the unit does not tell. */
export function sourceDistanceText(
  claim: Pick<Claim, 'unit'> | null,
  from: readonly [number, number],
  to: readonly [number, number],
): string | null {
  const unit = claim?.unit ?? null;
  if (inDegrees(unit)) return isLonLat(from) && isLonLat(to) ? kmText(metresBetween(from, to)) : null;
  const metres = METRES.get(unit?.toLowerCase() ?? '');
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]) * (metres ?? Number.NaN);
  // longer than half the way round the Earth no projected distance means anything
  return length <= 2.0e7 ? kmText(length) : null;
}

const kmText = (metres: number) => (metres < 1000 ? `${Math.round(metres)} m` : `${kilometresText(metres)} km`);
