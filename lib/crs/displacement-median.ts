import { type LonLat, wrapLon } from './sphere';

/** The middle value (the mean of two for an even number); NaN of none. The input is left as it is. */
export function median(values: readonly number[]): number {
  const sorted = Float64Array.from(values).sort();
  const middle = sorted.length >> 1;
  if (sorted.length === 0) return Number.NaN;
  if (sorted.length % 2 === 1) return sorted[middle]!;
  return (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** Median absolute deviation from the median: the spread that half of the values stay within. */
export function medianDeviation(values: readonly number[]): number {
  const middle = median(values);
  return median(values.map((value) => Math.abs(value - middle)));
}

/**
 * The median of each axis. The longitudes are cut where the largest gap between them lies, so that places on both sides
 * of 180° have their middle there, not at Greenwich.
 */
export function medianPlace(places: readonly LonLat[]): LonLat {
  const lons = Float64Array.from(places, ([lon]) => wrapLon(lon)).sort();
  let cut = 0;
  let widest = lons.length > 0 ? lons[0]! + 360 - lons[lons.length - 1]! : 0;
  for (let i = 1; i < lons.length; i += 1) {
    const gap = lons[i]! - lons[i - 1]!;
    if (gap > widest) {
      widest = gap;
      cut = i;
    }
  }
  const unwrapped = Array.from(lons, (lon, i) => (i < cut ? lon + 360 : lon));
  return [wrapLon(median(unwrapped)), median(places.map(([, lat]) => lat))];
}
