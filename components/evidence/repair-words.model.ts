import type { Payload } from '@/lib/contract/entry';
import type { Repair } from '@/lib/contract/repair';
import { coordinateText } from './number-text.model';

type Axes = { crs: string; swapped: boolean; x_sign: number; y_sign: number };

/** What taking a candidate changes, one line each. */
export function candidateChanges({ src_crs, srid }: Pick<Payload, 'src_crs' | 'srid'>, axes: Axes): string[] {
  const lines = [
    src_crs === axes.crs ? `CRS claimed: ${src_crs}, as before` : `CRS claimed: ${src_crs ?? 'none'} → ${axes.crs}`,
  ];
  const number = /^EPSG:(\d+)$/.exec(axes.crs)?.[1] ?? null;
  if (srid !== null && String(srid) !== number) lines.push(`SRID on the geometry: ${srid} → ${number ?? 'none'}`);
  if (axes.swapped) lines.push('x and y of every vertex change places');
  if (axes.x_sign < 0) lines.push('the sign of x is turned');
  if (axes.y_sign < 0) lines.push('the sign of y is turned');
  if (!axes.swapped && axes.x_sign > 0 && axes.y_sign > 0) lines.push('No vertex moves.');
  return lines;
}

export type LossRow = { name: string; before: string; after: string; note: string | null; over: boolean };

/** The loss table: one row a figure. */
export function lossRows(repair: Repair): LossRow[] {
  const over = (word: RegExp) => repair.loss_why.some((why) => word.test(why));
  const rows: LossRow[] = [
    {
      name: 'Type',
      before: typeText(repair.type_before, repair.dims_before),
      after: typeText(repair.type_after, repair.dims_after),
      note: null,
      over: over(/became|are left|values are dropped/),
    },
    { name: 'Parts', before: text(repair.parts_before), after: text(repair.parts_after), note: null, over: false },
    {
      name: 'Vertices',
      before: text(repair.vertices_before),
      after: text(repair.vertices_after),
      note: repair.vertices_dropped ? `${repair.vertices_dropped} dropped: no numbers` : null,
      over: (repair.vertices_dropped ?? 0) > 0,
    },
    {
      name: 'Area',
      before: text(repair.area_before),
      after: text(repair.area_after),
      note: areaNote(repair),
      over: over(/area/),
    },
    {
      name: 'Lines moved',
      before: '',
      after: text(repair.hausdorff),
      note: movedNote(repair),
      over: over(/lines moved/),
    },
  ];
  if (repair.area_difference !== null)
    rows.push({
      name: 'Area in one only',
      before: '',
      after: text(repair.area_difference),
      note: repair.area_difference_of === 'even_odd_fill' ? 'against the even-odd fill of the source' : null,
      over: false,
    });
  return rows;
}

function areaNote({ area_before, area_delta_pct, was_valid }: Repair): string | null {
  const summed = was_valid ? '' : ', by the signed sum of its rings';
  if (area_before === 0) return was_valid ? null : 'the loops of its rings cancel out';
  return area_delta_pct === null ? null : `${signed(area_delta_pct)} %${summed}`;
}

function movedNote({ hausdorff_m, hausdorff_skipped }: Repair): string | null {
  if (hausdorff_skipped) return hausdorff_skipped;
  return hausdorff_m === null ? 'source units' : `${figure(hausdorff_m)} m on the ground`;
}

const signed = (value: number): string => `${value > 0 ? '+' : ''}${figure(value)}`;
const text = (value: number | null): string => (value === null ? '–' : figure(value));
const typeText = (type: string | null, dims: string | null): string =>
  type === null ? '–' : `${type.toLowerCase()}${dims && dims !== 'XY' ? ` ${dims.slice(2).toLowerCase()}` : ''}`;
/** Six digits: enough to compare, short enough for a cell. */
function figure(value: number): string {
  const rounded = Number(value.toPrecision(6));
  return Number.isInteger(rounded) && Math.abs(rounded) < 1e15
    ? rounded.toLocaleString('en-US')
    : coordinateText(rounded, 12);
}
