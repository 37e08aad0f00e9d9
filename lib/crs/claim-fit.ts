import type { ClaimedCrs } from './claimed-crs';
import type { CrsEvidence } from './crs-evidence';
import { degreesFrom } from './geo-box';
import { hypothesis, placeUnder } from './hypothesis';
import { degreesFromRegion, type PriorRegion } from './prior-region';
import type { Bbox, CrsRecord } from './registry/registry';
import type { LonLat } from './sphere';

/** How well the claim explains the numbers. */
export interface ClaimFit {
  /** Of the medoid; null where the claim puts it nowhere on the Earth. */
  place: LonLat | null;
  places: LonLat[];
  /** Degrees outside the area of use, 0 within it or where none is known. */
  out: number;
  /** How far out still agrees: areas are rough, and grids are used beyond them. */
  margin: number;
  /** Degrees from the region, 0 where there is none; Infinity where the claim puts it nowhere. */
  away: number;
}

/** PROJ counts longitude on past 180° and does not look at the latitude where source and target are both degrees. */
const MAX_LON = 540;

/** The database's answer decides; proj4 stands in where it was not asked. */
export function fitOfClaim(
  { record }: ClaimedCrs,
  { placed }: Pick<CrsEvidence, 'placed'>,
  vertices: readonly [number, number][],
  region: PriorRegion | null,
): ClaimFit {
  const answers: (LonLat | null)[] = placed
    ? placed.points.map((point) => (isOnEarth(point) ? point : null))
    : record
      ? vertices.map((vertex) => placeUnder(hypothesis(record, 'claim', 0), vertex))
      : [];
  const place = answers[0] ?? null;
  const places = answers.filter((answer) => answer !== null);
  return {
    place,
    places,
    out: place && record?.area ? degreesFrom(usedArea(record, record.area), place) : 0,
    margin: record ? marginOf(record) : 0,
    away: place === null ? Infinity : region ? degreesFromRegion(region, places) : 0,
  };
}

/** In degrees. UTM zones are used for whole countries, some 6° beyond. */
export function marginOf({ name, kind }: CrsRecord): number {
  if (kind !== 'projected') return 5;
  return /\b(UTM|BLM)\b|Gauss-Kr|Transverse Mercator/i.test(name) ? 6.5 : 3;
}

/** Landsat counts the northing of UTM north on below the equator, others that of UTM south on above it. */
function usedArea({ name }: CrsRecord, [west, south, east, north]: Bbox): Bbox {
  if (/UTM zone \d+N\b/i.test(name)) return [west, -84, east, north];
  return /UTM zone \d+S\b/i.test(name) ? [west, south, east, 84] : [west, south, east, north];
}

function isOnEarth(point: readonly [number, number] | null): point is LonLat {
  return (
    point !== null && Number.isFinite(point[0]) && Math.abs(point[0]) <= MAX_LON && Math.abs(point[1]) <= 90.5 // a rounding beyond the pole is none
  );
}
