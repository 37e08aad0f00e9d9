import { type LonLat, polygonProblem } from '@/lib/contract/area-polygon';
import type { Filter } from '@/lib/contract/filter';
import { type Bbox, boundsOf, nearestLon } from './geodesy';

/** Decimals of a drawn corner: a decimetre. */
const DECIMALS = 1e6;
const rounded = (value: number) => Math.round(value * DECIMALS) / DECIMALS;

/**
 * A drawn ring as a filter takes it: not closed, no corner twice in a row, longitudes that go on over 180° and begin
 * within ±180. `problem` says why the filter would not take it.
 */
export function ringOfDrawing(coordinates: readonly (readonly number[])[]): { ring: LonLat[]; problem: string | null } {
  const ring: LonLat[] = [];
  for (const [lon = Number.NaN, lat = Number.NaN] of coordinates) {
    const before = ring.at(-1);
    const next: LonLat = [rounded(before ? nearestLon(lon, before[0]) : lon), rounded(lat)];
    if (!before || before[0] !== next[0] || before[1] !== next[1]) ring.push(next);
  }
  const [first, last] = [ring[0], ring.at(-1)];
  if (first && last && ring.length > 1 && first[0] === last[0] && first[1] === last[1]) ring.pop();
  const moved = nearRing(ring, 0);
  return { ring: moved, problem: polygonProblem(moved) };
}

/** The ring on the copy of the world where its middle is nearest to `lon`. */
export function nearRing(ring: readonly LonLat[], lon: number): LonLat[] {
  const bounds = boundsOf(ring);
  if (!bounds) return [...ring];
  const middle = (bounds[0] + bounds[2]) / 2;
  const turn = nearestLon(middle, lon) - middle;
  return turn === 0 ? [...ring] : ring.map(([x, y]): LonLat => [rounded(x + turn), y]);
}

/** The bounds of a ring as a view takes them, or null without a corner; west > east crosses 180°. */
export function ringBounds(ring: readonly LonLat[]): Bbox | null {
  return boundsOf(ring);
}

const closed = (ring: readonly LonLat[]): LonLat[] => (ring[0] ? [...ring, ring[0]] : []);

function boxRing([west, south, east, north]: Bbox): LonLat[] {
  const right = west > east ? east + 360 : east;
  return [
    [west, south],
    [right, south],
    [right, north],
    [west, north],
  ];
}

/** The filter's area and box, as far as it has them. */
export type Area = { polygon?: LonLat[] | undefined; bbox?: [number, number, number, number] | undefined };

/** The filter's area and box as features with their `kind`. */
export function areaFeatures({ polygon, bbox }: Pick<Filter, 'polygon' | 'bbox'>): GeoJSON.FeatureCollection {
  const feature = (kind: string, ring: readonly LonLat[]): GeoJSON.Feature => ({
    type: 'Feature',
    properties: { kind },
    geometry: { type: 'Polygon', coordinates: [closed(ring)] },
  });
  return {
    type: 'FeatureCollection',
    features: [...(polygon ? [feature('polygon', polygon)] : []), ...(bbox ? [feature('box', boxRing(bbox))] : [])],
  };
}
