import { SYMBOL_CLASSES, type SymbolClass } from '@/components/ui/class-symbol';
import type { TileAddress } from '@/lib/crs/web-mercator';
import { parseTile } from './geodesy';
import type { Stack } from './stacks';

/** Several entries at one place on the screen: a cell of the grid, or a stack of marks. */
export type HoveredGroup = {
  kind: 'group';
  total: number;
  /** Largest first. */
  counts: { failure_class: SymbolClass; count: number }[];
  reopened: number;
  /** The cell's tile address; null for a stack. */
  cell: TileAddress | null;
};
export type HoveredEntry = {
  kind: 'entry';
  id: string;
  failure_class: string;
  state: string | null;
  reopened: boolean;
};
/** Screen position in the map's own pixels. */
export type Hovered = (HoveredGroup | HoveredEntry) & { x: number; y: number };

type Properties = Record<string, unknown>;
const number = (value: unknown) => (Number.isFinite(Number(value)) ? Number(value) : 0);

export function sortedCounts(counts: Partial<Record<SymbolClass, number>>): HoveredGroup['counts'] {
  return SYMBOL_CLASSES.map((failure_class) => ({ failure_class, count: counts[failure_class] ?? 0 }))
    .filter((each) => each.count > 0)
    .sort((a, b) => b.count - a.count);
}

/** Reads a feature of the tiles' layer `cells`. */
export function groupOfCell(properties: Properties): HoveredGroup {
  const counts = Object.fromEntries(SYMBOL_CLASSES.map((name) => [name, number(properties[name])]));
  return {
    kind: 'group',
    total: number(properties.total),
    counts: sortedCounts(counts),
    reopened: number(properties.reopened),
    cell: parseTile(String(properties.cell ?? '')),
  };
}

/** Reads a feature of the tiles' layers `points` and `outlines`, whose id is the entry's. */
export function entryOfFeature({
  id,
  properties,
}: {
  id?: string | number | undefined;
  properties: Properties;
}): HoveredEntry {
  return {
    kind: 'entry',
    id: String(id),
    failure_class: String(properties.failure_class ?? 'unknown'),
    state: properties.state === undefined ? null : String(properties.state),
    reopened: number(properties.reopened) > 0,
  };
}

export function groupOfStack(stack: Stack): HoveredGroup {
  return {
    kind: 'group',
    total: stack.ids.length,
    counts: sortedCounts(stack.counts),
    reopened: stack.reopened,
    cell: null,
  };
}

/** The share of a whole in per cent: never 0 of what is there, never 100 of what is not all. */
export function shareText(count: number, total: number): string {
  if (count >= total) return '100 %';
  const share = Math.round((100 * count) / total);
  return share < 1 ? '<1 %' : `${Math.min(99, share)} %`;
}
