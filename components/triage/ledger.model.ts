import type { Filter } from '@/lib/contract/filter';

type Bbox = readonly [number, number, number, number];

/** Why an entry has no place on the map, in words that fit a line. */
const REASON_TEXTS: Record<string, string> = {
  no_geometry: 'no geometry',
  unreadable: 'unreadable bytes',
  empty: 'empty geometry',
  non_finite: 'to infinity',
  no_crs: 'no CRS',
  unknown_crs: 'unknown CRS',
  not_geographic: 'not geographic',
  outside_projection: 'outside the projection',
  too_large: 'too large',
  not_diagnosed: 'not diagnosed yet',
};

export function reasonText(reason: string): string {
  return REASON_TEXTS[reason] ?? reason.replaceAll('_', ' ');
}

/** Of a line at 12 px, measured; a reason also has its gap. */
const CHAR_PX = 6.4;
const GAP_PX = 10;
/** Of the button that holds the rest. */
const MORE_PX = 56;

/**
 * How many of the reasons stand whole in a line of `width` px beside `before`, the texts that come first; the rest go
 * behind a button, for which there is room too.
 */
export function reasonsThatFit(texts: readonly string[], before: readonly string[], width: number): number {
  const px = (text: string) => text.length * CHAR_PX + GAP_PX;
  let left = width - before.reduce((sum, text) => sum + px(text), 0);
  const all = texts.reduce((sum, text) => sum + px(text), 0);
  if (all <= left) return texts.length;
  left -= MORE_PX;
  let fit = 0;
  for (const text of texts) {
    left -= px(text);
    if (left < 0) break;
    fit += 1;
  }
  return fit;
}

export type Ledger = { in_view: number; outside: number; not_mapped: number };

/**
 * in view + outside + not on the map = matching, whatever happened between the two questions: `in_view` is asked for
 * after `total`, so it is cut to what the answer has on the map. Null until the view was counted.
 */
export function ledgerOf(total: number, notMapped: number, inView: number | null): Ledger | null {
  if (inView === null) return null;
  const mapped = Math.max(0, total - notMapped);
  const in_view = Math.min(inView, mapped);
  return { in_view, outside: mapped - in_view, not_mapped: total - mapped };
}

/** The parts of a box, one or two, that do not cross 180°: [west, east] with west ≤ east. */
function spans([west, , east]: Bbox): [number, number][] {
  return west <= east
    ? [[west, east]]
    : [
        [west, 180],
        [-180, east],
      ];
}

/**
 * The filter whose total is the number of entries in view: the view's box, cut with the filter's own. Null when the two
 * do not meet (nothing is in view) and undefined when they meet in two boxes, which one filter cannot say.
 */
export function filterInView(filter: Filter, view: Bbox): Filter | null | undefined {
  const box = filter.bbox;
  if (!box) return { ...filter, bbox: [...view] };
  const south = Math.max(box[1], view[1]);
  const north = Math.min(box[3], view[3]);
  const common = spans(box).flatMap(([w, e]) =>
    spans(view)
      .map(([west, east]): [number, number] => [Math.max(w, west), Math.min(e, east)])
      .filter(([west, east]) => west <= east),
  );
  if (south > north || common.length === 0) return null;
  const [first, second] = common;
  if (first && !second) return { ...filter, bbox: [first[0], south, first[1], north] };
  const left = common.find(([, east]) => east === 180);
  const right = common.find(([west]) => west === -180);
  // two parts that touch at 180° are one box again
  if (common.length === 2 && left && right && left !== right)
    return { ...filter, bbox: [left[0], south, right[1], north] };
  return undefined;
}

/** Where what lies outside is, when all of it must lie on one side; else null. */
export function sideOfView(extent: Bbox | null, view: Bbox): 'north' | 'south' | 'east' | 'west' | null {
  if (!extent || extent[0] > extent[2] || view[0] > view[2]) return null;
  const beyond = [
    extent[3] > view[3] && ('north' as const),
    extent[1] < view[1] && ('south' as const),
    extent[2] > view[2] && ('east' as const),
    extent[0] < view[0] && ('west' as const),
  ].filter((side) => side !== false);
  return beyond.length === 1 ? beyond[0]! : null;
}
