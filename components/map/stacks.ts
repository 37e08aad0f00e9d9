import { type SymbolClass, symbolClass } from '@/components/ui/class-symbol';
import type { LonLat } from '@/lib/crs/sphere';

/** An entry's mark as it lies on the screen, in CSS pixels. */
export type ScreenMark = {
  id: string;
  x: number;
  y: number;
  position: LonLat;
  failure_class: string;
  reopened: boolean;
};
export type Stack = {
  position: LonLat;
  ids: string[];
  counts: Partial<Record<SymbolClass, number>>;
  reopened: number;
  /** The most frequent class. */
  failure_class: SymbolClass;
};

/** Marks nearer than this would hide each other. */
export const STACK_PX = 9;

/**
 * Groups of two and more marks that lie on one another. Each mark joins the first group whose first mark is within
 * `STACK_PX`; a hash of squares keeps it linear (5,000 marks a tile).
 */
export function stacksOf(marks: readonly ScreenMark[]): Stack[] {
  const groups: ScreenMark[][] = [];
  const squares = new Map<string, ScreenMark[][]>();
  for (const mark of marks) {
    const column = Math.floor(mark.x / STACK_PX);
    const row = Math.floor(mark.y / STACK_PX);
    let found: ScreenMark[] | undefined;
    for (let dx = -1; dx <= 1 && !found; dx++)
      for (let dy = -1; dy <= 1 && !found; dy++)
        found = squares
          .get(`${column + dx},${row + dy}`)
          ?.find(([first]) => first && Math.hypot(first.x - mark.x, first.y - mark.y) < STACK_PX);
    if (found) {
      found.push(mark);
      continue;
    }
    const group = [mark];
    groups.push(group);
    const key = `${column},${row}`;
    squares.set(key, [...(squares.get(key) ?? []), group]);
  }
  return groups.filter((group) => group.length > 1).map(stack);
}

function stack(group: readonly ScreenMark[]): Stack {
  const counts: Stack['counts'] = {};
  for (const mark of group) {
    const name = symbolClass(mark.failure_class);
    counts[name] = (counts[name] ?? 0) + 1;
  }
  const [failure_class] = (Object.entries(counts) as [SymbolClass, number][]).sort((a, b) => b[1] - a[1])[0]!;
  return {
    position: group[0]!.position,
    ids: group.map((mark) => mark.id),
    counts,
    reopened: group.filter((mark) => mark.reopened).length,
    failure_class,
  };
}

/** A point a stack; `index` finds it again in the list it was made from. */
export function stackFeatures(stacks: readonly Stack[]): GeoJSON.FeatureCollection {
  return {
    type: 'FeatureCollection',
    features: stacks.map((each, index) => ({
      type: 'Feature',
      properties: {
        index,
        count: each.ids.length,
        failure_class: each.failure_class,
        reopened: each.reopened,
      },
      geometry: { type: 'Point', coordinates: [...each.position] },
    })),
  };
}
