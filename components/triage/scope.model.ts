import { countedText, countText } from '@/components/ui/number-text';
import type { Filter } from '@/lib/contract/filter';

/** What a bulk action is asked for. It is frozen at the preview, never here. */
export type Scope =
  | { kind: 'filter'; filter: Filter; total: number }
  | { kind: 'ids'; ids: string[] }
  | { kind: 'entry'; id: string };

/** Ticked rows by id, or everything that matches the filter. `outside` of the ticked are not in the present filter. */
export type Ticks = { kind: 'ids'; ids: ReadonlySet<string> } | { kind: 'all' };
export const NO_TICKS: Ticks = { kind: 'ids', ids: new Set() };

export function scopeOf(ticks: Ticks, filter: Filter, total: number): Scope {
  return ticks.kind === 'ids' && ticks.ids.size > 0
    ? { kind: 'ids', ids: [...ticks.ids] }
    : { kind: 'filter', filter, total };
}

export function scopeText(scope: Scope): string {
  if (scope.kind === 'filter') return `${countText(scope.total)} matching`;
  return scope.kind === 'ids' ? `${countText(scope.ids.length)} ticked` : 'This entry';
}

/** Ticks or unticks one row; a tick leaves “all matching”. */
export function tickOne(ticks: Ticks, id: string, on: boolean): Ticks {
  const ids = new Set(ticks.kind === 'ids' ? ticks.ids : []);
  if (on) ids.add(id);
  else ids.delete(id);
  return { kind: 'ids', ids };
}

/** Gives every row from `anchor` to `id`, in the list's order, the state `on`; without the anchor only `id`. */
export function tickRange(
  ticks: Ticks,
  order: readonly string[],
  anchor: string | null,
  id: string,
  on: boolean,
): Ticks {
  const from = anchor === null ? -1 : order.indexOf(anchor);
  const to = order.indexOf(id);
  if (from < 0 || to < 0) return tickOne(ticks, id, on);
  const ids = new Set(ticks.kind === 'ids' ? ticks.ids : []);
  for (const each of order.slice(Math.min(from, to), Math.max(from, to) + 1)) {
    if (on) ids.add(each);
    else ids.delete(each);
  }
  return { kind: 'ids', ids };
}

/** The box in the head: all loaded rows ticked, some, or none. */
export function headTick(ticks: Ticks, loaded: readonly string[]): 'all' | 'some' | 'none' {
  if (ticks.kind === 'all') return 'all';
  const ticked = loaded.filter((id) => ticks.ids.has(id)).length;
  if (ticked === 0) return 'none';
  return ticked === loaded.length ? 'all' : 'some';
}

/** Ticked entries that the list as loaded does not show; null while nothing is ticked. */
export function outsideText(ticks: Ticks, loaded: readonly string[], complete: boolean): string | null {
  if (ticks.kind === 'all') return null;
  const shown = new Set(loaded);
  const missing = [...ticks.ids].filter((id) => !shown.has(id)).length;
  if (missing === 0) return null;
  return complete
    ? `${countedText(missing, 'is', 'are')} not in this filter`
    : `${countText(missing)} not in the rows loaded`;
}
