import type { Bbox } from '@/lib/crs/registry/registry';

/** A `bbox` or `bounds` among the params as a box in degrees, or null where it is none: four numbers, west to north. */
export function paramsBox(given: unknown): Bbox | null {
  if (!Array.isArray(given) || given.length !== 4) return null;
  const [west, south, east, north] = given as unknown[];
  if (!isDegrees(west, 180) || !isDegrees(east, 180) || !isDegrees(south, 90) || !isDegrees(north, 90)) return null;
  return west < east && south < north ? [west, south, east, north] : null;
}

function isDegrees(value: unknown, limit: number): value is number {
  return typeof value === 'number' && Math.abs(value) <= limit;
}
