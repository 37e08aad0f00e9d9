import type { Tx } from '@/db/client';
import { type RepairDifferenceRow, repairDifference } from '@/db/queries/repair-difference';
import { repairMeasure } from '@/db/queries/repair-measure';
import { type RepairPlaceRow, repairReproject } from '@/db/queries/repair-reproject';
import type { Repair, RepairMethod } from '@/lib/contract/repair';
import { readWkb } from '@/lib/wkb/read-wkb';
import type { WkbReading } from '@/lib/wkb/reading';
import type { ClaimedSource } from './claimed-source';
import { hausdorff } from './hausdorff';
import { judgeLoss } from './judge-loss';
import { tooMuchWork } from './repair-effort';
import { secondsText, withinTime } from './within-time';

/** Each figure has this long. */
const MEASURE_LIMIT_MS = 4_000;

type Figures = Omit<
  Repair,
  | 'id'
  | 'method'
  | 'payload_hash'
  | 'possible'
  | 'why_not'
  | 'geom_wkb'
  | 'geom_omitted'
  | 'reprojected_wkb'
  | 'budget'
  | 'computed_by'
  | 'elapsed_ms'
> & { reprojected_wkb: Uint8Array | null };

export interface Measurable {
  method: RepairMethod;
  before: Uint8Array;
  after: Uint8Array;
  reading: WkbReading;
  vertices_dropped: number;
  source: ClaimedSource;
}

/** Everything that is said of a repair, each figure under a time limit of its own. */
export async function measureRepair(
  tx: Tx,
  { method, before, after, reading, vertices_dropped, source }: Measurable,
): Promise<Figures> {
  const within = <T>(run: (inner: Tx) => Promise<T>) => withinTime(tx, MEASURE_LIMIT_MS, run);
  const too_slow = `it takes longer than ${secondsText(MEASURE_LIMIT_MS)}`;
  const shape = await within((inner) => repairMeasure(inner, before, after));
  const extent = extentOf(reading);
  const distance = distanceOf();
  const difference = await differenceOf();
  const placed = await within((inner) =>
    repairReproject(inner, after, { ...source, ...measuringPlace(reading, extent) }),
  );
  const shape_or_none = shape ?? NO_SHAPE;
  const judged = shape
    ? judgeLoss({ ...shape, ...distance, vertices_dropped, extent })
    : { loss: 'not measured' as const, loss_why: [`its areas: ${too_slow}`] };
  const {
    valid_before,
    dimension_before: _b,
    dimension_after: _a,
    least_dimension_after: _l,
    empty_after: _e,
    ...shown
  } = shape_or_none;
  return {
    ...shown,
    was_valid: valid_before,
    vertices_dropped,
    area_delta_pct: deltaOf(shown.area_before, shown.area_after),
    area_difference: difference.area,
    area_difference_of: difference.error === null && difference.area !== null ? difference.source_as : null,
    area_difference_skipped: difference.error,
    ...distance,
    hausdorff_m: metresOf(distance.hausdorff, placed),
    reprojected_wkb: source.error ? null : (placed?.reprojected_wkb ?? null),
    reproject_error: source.error ?? (placed ? placed.error : too_slow),
    ...judged,
  };

  function distanceOf(): Pick<Repair, 'hausdorff' | 'hausdorff_skipped'> {
    const skipped = (hausdorff_skipped: string) => ({ hausdorff: null, hausdorff_skipped });
    if (vertices_dropped > 0) return skipped('a vertex is no number');
    if (shape?.empty_after) return skipped('nothing is left');
    const distance = hausdorff(reading, readWkb(after, { max_findings: 0 }));
    if (distance === null) return skipped('the vertices that differ are too many to compare');
    return { hausdorff: distance, hausdorff_skipped: null };
  }

  async function differenceOf(): Promise<RepairDifferenceRow> {
    const none = (error: string): RepairDifferenceRow => ({ area: null, source_as: 'as_stored', error });
    if (vertices_dropped > 0) return none('a vertex is no number');
    if (!shape) return none(too_slow);
    if (shape.dimension_before < 2) return none('it has no area');
    // GEOS overlays no invalid polygon: what linework makes of it would stand for it, which cannot be interrupted either
    if (!shape.valid_before && method === 'linework') return none('what linework keeps is the even-odd fill itself');
    if (!shape.valid_before && tooMuchWork(reading, 'linework', MEASURE_LIMIT_MS) !== null) return none(too_slow);
    return (await within((inner) => repairDifference(inner, before, after))) ?? none(too_slow);
  }
}

const NO_SHAPE = {
  valid_before: null,
  type_before: null,
  type_after: null,
  area_before: null,
  area_after: null,
  parts_before: null,
  parts_after: null,
  vertices_before: null,
  vertices_after: null,
  dims_before: null,
  dims_after: null,
  dimension_before: 0,
  dimension_after: 0,
  least_dimension_after: null,
  empty_after: false,
};

function extentOf({ bbox }: WkbReading): number {
  return bbox ? Math.hypot(bbox[2] - bbox[0], bbox[3] - bbox[1]) : 0;
}

/** The middle of the geometry, and a thousandth of its extent: short enough to be straight, long enough for float64. */
function measuringPlace({ bbox }: WkbReading, extent: number): { x: number; y: number; step: number } {
  const [west, south, east, north] = bbox ?? [0, 0, 0, 0];
  const x = (west + east) / 2;
  const y = (south + north) / 2;
  return { x, y, step: extent / 1000 || Math.max(Math.abs(x), Math.abs(y), 1) * 1e-6 };
}

function deltaOf(before: number | null, after: number | null): number | null {
  return before === null || after === null || before === 0 ? null : ((after - before) / Math.abs(before)) * 100;
}

function metresOf(hausdorff: number | null, placed: RepairPlaceRow | null): number | null {
  if (hausdorff === 0) return 0;
  const metres = placed?.metres_per_unit ?? null;
  return hausdorff === null || metres === null ? null : hausdorff * metres;
}
