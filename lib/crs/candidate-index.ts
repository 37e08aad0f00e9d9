import { boxArea, boxesTouch } from './geo-box';
import type { PriorRegion } from './prior-region';
import { allCrs, type CrsRecord } from './registry/registry';

/** Every CRS that numbers can be searched in, as columns: a scan of all of them takes 30 µs. */
interface CandidateIndex {
  records: CrsRecord[];
  /** minx, miny, maxx, maxy of each envelope with its slack. */
  envelopes: Float64Array;
  /** Log10 of the area of use in square degrees. */
  log_area: Float64Array;
}

/** An envelope comes from a lattice of 9 × 9 points: the true one may bulge a little. */
const SLACK = 0.02;
/** An area of use smaller than a town says no more than one of a town. */
const MIN_AREA = 0.05;
const WORLD_AREA = 41_000;
const DEGREE = Math.PI / 180;

let index: CandidateIndex | null = null;

/** Log10 of the area of use in square degrees; the whole world where none is known. */
export function logArea(record: CrsRecord): number {
  return Math.log10(record.area ? Math.max(MIN_AREA, boxArea(record.area)) : WORLD_AREA);
}

function candidateIndex(): CandidateIndex {
  if (index) return index;
  const records = allCrs().filter(isSearchable);
  const envelopes = new Float64Array(records.length * 4);
  for (const [i, { envelope }] of records.entries()) {
    const [minx, miny, maxx, maxy] = envelope as [number, number, number, number];
    const [across, up] = [(maxx - minx) * SLACK, (maxy - miny) * SLACK];
    envelopes.set([minx - across, miny - up, maxx + across, maxy + up], i * 4);
  }
  index = { records, envelopes, log_area: Float64Array.from(records, logArea) };
  return index;
}

/** Geographic CRSs in degrees from Greenwich are all one to a search: OGC:CRS84 and EPSG:4326 stand for them. */
function isSearchable(record: CrsRecord): boolean {
  if (record.deprecated || !record.envelope || !record.proj || !record.area) return false;
  if (record.kind === 'projected') return true;
  const [west, , east] = record.envelope;
  const is_degrees = record.unit_factor !== null && Math.abs(record.unit_factor / DEGREE - 1) < 1e-6;
  return record.kind === 'geographic_2d' && west < east && (!is_degrees || record.proj.includes('+pm='));
}

export interface Found {
  record: CrsRecord;
  swapped: boolean;
  log_area: number;
}

/**
 * The CRSs whose envelope holds x,y, or y,x, and whose area of use comes near the region, those of the smallest area
 * first. `margin` in degrees.
 */
export function findByEnvelope(x: number, y: number, region: PriorRegion | null, margin: number): Found[] {
  const { records, envelopes, log_area } = candidateIndex();
  const found: Found[] = [];
  for (let i = 0, at = 0; i < records.length; i++, at += 4) {
    const minx = envelopes[at] as number;
    const miny = envelopes[at + 1] as number;
    const maxx = envelopes[at + 2] as number;
    const maxy = envelopes[at + 3] as number;
    const straight = x >= minx && x <= maxx && y >= miny && y <= maxy;
    const swapped = y >= minx && y <= maxx && x >= miny && x <= maxy;
    if (!straight && !swapped) continue;
    const record = records[i] as CrsRecord;
    if (region && record.area && !boxesTouch(region.box, record.area, margin)) continue;
    if (straight) found.push({ record, swapped: false, log_area: log_area[i] as number });
    if (swapped) found.push({ record, swapped: true, log_area: log_area[i] as number });
  }
  return found.sort((a, b) => a.log_area - b.log_area);
}
