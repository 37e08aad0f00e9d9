import type { SiblingPrior } from '@/lib/crs/crs-evidence';
import type { Bbox } from '@/lib/crs/registry/registry';
import { lonOnMap } from '@/lib/crs/sphere';

/** An entry of the same task and source whose claim was accepted. */
export interface Sibling {
  entry_id: string;
  crs: string;
  /** Null where it lies nowhere on the map. */
  lon: number | null;
  lat: number | null;
}

/** Fewer say nothing about where their kind lies. */
const MIN_PLACES = 5;
/** Left out at each end, so that a stray one does not widen the box. */
const STRAYS = 0.05;

/** What accepted siblings tell about an entry, which is not its own witness; null where there are none. */
export function siblingPrior(siblings: readonly Sibling[], entry_id: string): SiblingPrior | null {
  const others = siblings.filter((sibling) => sibling.entry_id !== entry_id);
  if (others.length === 0) return null;
  const counts = new Map<string, number>();
  for (const { crs } of others) counts.set(crs, (counts.get(crs) ?? 0) + 1);
  const accepted = [...counts]
    .map(([crs, count]) => ({ crs, swapped: false, count }))
    .sort((a, b) => b.count - a.count || (a.crs < b.crs ? -1 : 1));
  return { bbox: boxOf(others), accepted };
}

function boxOf(siblings: readonly Sibling[]): Bbox | null {
  const places = siblings.flatMap(({ lon, lat }) => (lon === null || lat === null ? [] : [{ lon, lat }]));
  if (places.length < MIN_PLACES) return null;
  const [west, east] = longitudes(places.map(({ lon }) => lon));
  const [south, north] = withoutStrays(places.map(({ lat }) => lat));
  return [west, south, east, north];
}

/** Over 180° (west > east) where the places lie closer together that way. */
function longitudes(lons: number[]): [number, number] {
  const plain = withoutStrays(lons);
  const [west, east] = withoutStrays(lons.map((lon) => (lon < 0 ? lon + 360 : lon)));
  return east - west < plain[1] - plain[0] ? [lonOnMap(west), lonOnMap(east)] : plain;
}

function withoutStrays(values: number[]): [number, number] {
  const sorted = [...values].sort((a, b) => a - b);
  const strays = Math.ceil(sorted.length * STRAYS);
  // Of few, none can be told to be a stray.
  const left_out = sorted.length < 2 * MIN_PLACES ? 0 : strays;
  return [sorted[left_out] as number, sorted[sorted.length - 1 - left_out] as number];
}
