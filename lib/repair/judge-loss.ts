import { LOSS_BUDGET, type Loss, type Repair } from '@/lib/contract/repair';

/** What a repair did, as far as it was measured. */
export interface Measured
  extends Pick<
    Repair,
    'area_before' | 'area_after' | 'hausdorff' | 'type_before' | 'type_after' | 'dims_before' | 'dims_after'
  > {
  vertices_dropped: number;
  /** Diagonal of the source's finite extent. */
  extent: number;
  dimension_before: number;
  /** The highest and the lowest of the result's parts; null where there is none. */
  dimension_after: number;
  least_dimension_after: number | null;
  empty_after: boolean;
  hausdorff_skipped: string | null;
}

/** Sums of float64 in another order differ by this much. */
const SAME_AREA = 1e-12;

const WORDS = ['points', 'lines', 'polygons'];

/** The budget as the answer and the page name it. */
export const BUDGET = `area within ${LOSS_BUDGET.area_delta_pct} %, lines moved by at most a millionth of the extent, no vertex dropped, no dimension lost`;

/** Whether a repair loses more than it may, and all of what makes it so. */
export function judgeLoss(measured: Measured): { loss: Loss; loss_why: string[] } {
  const loss_why = losses(measured);
  const { hausdorff, hausdorff_skipped } = measured;
  if (loss_why.length > 0) return { loss: 'over budget', loss_why };
  if (hausdorff === null)
    return { loss: 'not measured', loss_why: [`the Hausdorff distance: ${hausdorff_skipped ?? 'there is none'}`] };
  const same = hausdorff === 0 && areaShare(measured) <= SAME_AREA;
  return { loss: same ? 'none' : 'within budget', loss_why: [] };
}

function losses(measured: Measured): string[] {
  const { vertices_dropped, dims_before, dims_after, hausdorff, extent } = measured;
  if (measured.empty_after) return ['nothing is left of it'];
  const why: string[] = [];
  if (vertices_dropped > 0)
    why.push(`${vertices_dropped === 1 ? '1 vertex is' : `${vertices_dropped} vertices are`} dropped: no numbers`);
  for (const axis of ['Z', 'M'])
    if (dims_before?.includes(axis) && !dims_after?.includes(axis)) why.push(`the ${axis} values are dropped`);
  const { dimension_before, dimension_after, least_dimension_after } = measured;
  if (dimension_after < dimension_before)
    why.push(`of ${WORDS[dimension_before]} only ${WORDS[dimension_after]} are left`);
  else if (least_dimension_after !== null && least_dimension_after < dimension_before && !isMixed(measured))
    why.push(`some of its ${WORDS[dimension_before]} became ${WORDS[least_dimension_after]}`);
  const share = areaShare(measured);
  if (share > LOSS_BUDGET.area_delta_pct / 100) why.push(areaWords(measured, share));
  if (hausdorff !== null && hausdorff > LOSS_BUDGET.hausdorff_of_extent * extent)
    why.push(`lines moved by ${figure(hausdorff)}, ${figure(hausdorff / extent)} of the extent`);
  return why;
}

/** A collection may hold points and lines of its own. */
const isMixed = ({ type_before }: Measured) => type_before === 'GEOMETRYCOLLECTION';

/** The change of area as a share of the larger one, 0–1. */
function areaShare({ area_before, area_after }: Measured): number {
  const before = area_before ?? 0;
  const after = area_after ?? 0;
  const larger = Math.max(Math.abs(before), Math.abs(after));
  return larger === 0 ? 0 : Math.abs(after - before) / larger;
}

function areaWords({ area_before, area_after }: Measured, share: number): string {
  if (!area_before)
    return `the area was 0, since the loops of its rings cancel out, and is ${figure(area_after ?? 0)} now`;
  return `the area changes by ${figure(share * 100)} % of the larger`;
}

const figure = (value: number): string => String(Number(value.toPrecision(4)));
