import { SYMBOL_CLASSES, type SymbolClass, symbolClass } from '@/components/ui/class-symbol';
import { dayText, minuteText } from '@/components/ui/time-text';
import type { Triage } from '@/lib/contract/triage';

export type Histogram = Triage['histogram'];
/** One bar; `start` and `end` in ms, end exclusive. `counts` are in the order of the bar, from below. */
export type Column = {
  start: number;
  end: number;
  total: number;
  counts: { failure_class: SymbolClass; count: number }[];
};
export type Layout = { columns: Column[]; step_ms: number; peak: Column | null };

const DAY_MS = 86_400_000;
/** Below this a bar is thinner than its gap. */
const COLUMN_MIN_PX = 4;

/**
 * The bars without gaps in time, up to the one that holds `now`: a night without captures is a bar of height 0. Bins are
 * merged in whole steps where more would not fit `width` px; every entry of the bins is in exactly one column.
 */
export function histogramLayout(histogram: Histogram, now: string, width: number): Layout {
  const binMs = histogram.bin_s * 1000;
  const starts = histogram.bins.map((bin) => new Date(bin.start).getTime());
  if (starts.length === 0) return { columns: [], step_ms: binMs, peak: null };
  const first = Math.min(...starts);
  const last = Math.max(Math.floor(new Date(now).getTime() / binMs) * binMs, ...starts);
  const bins = Math.round((last - first) / binMs) + 1;
  const merged = Math.max(1, Math.ceil(bins / Math.max(1, Math.floor(width / COLUMN_MIN_PX))));
  const step = merged * binMs;
  // the last column is whole: an incomplete one belongs at the old end, where it says least
  const origin = last + binMs - Math.ceil(bins / merged) * step;
  const sums = Array.from({ length: Math.ceil(bins / merged) }, () => new Map<SymbolClass, number>());
  histogram.bins.forEach((bin, i) => {
    const sum = sums[Math.floor((starts[i]! - origin) / step)];
    if (!sum) return;
    for (const [word, count] of Object.entries(bin.counts)) {
      const name = symbolClass(word);
      sum.set(name, (sum.get(name) ?? 0) + count);
    }
  });
  const order = largestFirst(sums);
  const columns = sums.map((sum, i): Column => {
    const counts = order.map((failure_class) => ({ failure_class, count: sum.get(failure_class) ?? 0 }));
    const total = counts.reduce((all, { count }) => all + count, 0);
    return {
      start: origin + i * step,
      end: origin + (i + 1) * step,
      total,
      counts: counts.filter(({ count }) => count > 0),
    };
  });
  const peak = columns.reduce<Column | null>(
    (best, column) => (column.total > (best?.total ?? 0) ? column : best),
    null,
  );
  return { columns, step_ms: step, peak };
}

/** The same order in every bar, the largest class of all at the bottom, so that bars can be compared. */
function largestFirst(sums: Map<SymbolClass, number>[]): SymbolClass[] {
  const all = (name: SymbolClass) => sums.reduce((total, sum) => total + (sum.get(name) ?? 0), 0);
  const totals = new Map(SYMBOL_CLASSES.map((name) => [name, all(name)]));
  return [...SYMBOL_CLASSES].sort((a, b) => totals.get(b)! - totals.get(a)!);
}

/** Columns that a period covers, as [first, last], or null. An open end reaches to the end of the plot. */
export function columnsOf(
  layout: Layout,
  since: string | undefined,
  until: string | undefined,
): [number, number] | null {
  if (!since && !until) return null;
  const from = since ? new Date(since).getTime() : Number.NEGATIVE_INFINITY;
  const to = until ? new Date(until).getTime() : Number.POSITIVE_INFINITY;
  const first = layout.columns.findIndex((column) => column.end > from);
  const last = layout.columns.findLastIndex((column) => column.start < to);
  return first < 0 || last < first ? null : [first, last];
}

/** The period of columns `first` to `last`, whichever comes first; open towards now when it ends in the last column. */
export function periodOf(layout: Layout, a: number, b: number): { since: string; until?: string } {
  const first = layout.columns[Math.min(a, b)]!;
  const last = Math.max(a, b);
  const since = new Date(first.start).toISOString();
  return last >= layout.columns.length - 1
    ? { since }
    : { since, until: new Date(layout.columns[last]!.end).toISOString() };
}

/** Sum of a range of columns and the highest total in it. */
export function rangeSums(layout: Layout, range: [number, number] | null): { total: number; peak: number } {
  const inside = range ? layout.columns.slice(range[0], range[1] + 1) : layout.columns;
  return {
    total: inside.reduce((sum, { total }) => sum + total, 0),
    peak: Math.max(0, ...inside.map(({ total }) => total)),
  };
}

/** `Captured per day`, `per hour`, `per 2 days`. */
export function stepText(stepMs: number): string {
  const [unit, size] =
    stepMs % DAY_MS === 0 ? ['day', DAY_MS] : stepMs % 3_600_000 === 0 ? ['hour', 3_600_000] : ['minute', 60_000];
  const count = stepMs / (size as number);
  return count === 1 ? `per ${unit}` : `per ${count} ${unit}s`;
}

export function columnText(column: Column, now: string): string {
  const span = column.end - column.start;
  if (span < DAY_MS) return `${dayText(column.start, now)} ${minuteText(column.start)}`;
  return span === DAY_MS
    ? dayText(column.start, now)
    : `${dayText(column.start, now)} – ${dayText(column.end - DAY_MS, now)}`;
}

/** Where axis labels stand, as column indexes: the last, and from there back in even steps of at least `minPx`. */
export function tickColumns(count: number, width: number, minPx = 92): number[] {
  if (count === 0) return [];
  const stride = Math.max(1, Math.ceil((minPx * count) / Math.max(1, width)));
  const ticks: number[] = [];
  for (let column = count - 1; column >= 0; column -= stride) ticks.unshift(column);
  return ticks;
}

/** The marks of code versions, as a fraction of the plot from the left; older ones than the plot are left out. */
export function versionMarks(layout: Layout, versions: Histogram['versions']): { code_version: string; at: number }[] {
  const first = layout.columns[0]?.start;
  const end = layout.columns.at(-1)?.end;
  if (first === undefined || end === undefined) return [];
  return versions
    .map(({ code_version, first_seen }) => ({
      code_version,
      at: (new Date(first_seen).getTime() - first) / (end - first),
    }))
    .filter(({ at }) => at > 0 && at <= 1);
}

export type VersionMark = { code_version: string; at: number; versions: string[] };

/** Lines nearer than this would be a grey band. */
const MARK_MIN_PX = 7;

/** Marks that stand too near each other as one, which names the newest and says how many there are: `2.14.0 +3`. */
export function foldMarks(marks: readonly { code_version: string; at: number }[], width: number): VersionMark[] {
  const folded: VersionMark[] = [];
  for (const { code_version, at } of [...marks].sort((a, b) => a.at - b.at)) {
    const last = folded.at(-1);
    // measured from the first of them, so that a row of near ones does not become one mark
    if (last && (at - last.at) * width < MARK_MIN_PX) last.versions.push(code_version);
    else folded.push({ code_version, at, versions: [code_version] });
  }
  return folded.map(({ at, versions }) => {
    const newest = versions.at(-1)!;
    return { at, versions, code_version: versions.length === 1 ? newest : `${newest} +${versions.length - 1}` };
  });
}

/** Versions that begin in a column, the oldest first. */
export function versionsIn({ start, end }: Column, versions: Histogram['versions']): string[] {
  return versions
    .filter(({ first_seen }) => {
      const at = new Date(first_seen).getTime();
      return at >= start && at < end;
    })
    .map(({ code_version }) => code_version);
}

/**
 * Entries that match and stand in no bar: failures before 2000, in the future, or at no moment at all. Null where it
 * cannot be told, since the total is that of a period or a lower bound.
 */
export function offAxis(
  answer: Pick<Triage, 'total' | 'histogram'> & { capped?: boolean },
  has_period: boolean,
): number | null {
  if (has_period || answer.capped) return null;
  let drawn = 0;
  for (const { counts } of answer.histogram.bins) for (const count of Object.values(counts)) drawn += count;
  return Math.max(0, answer.total - drawn);
}

export type PlacedMark = { code_version: string; at: number; side: 'left' | 'right' | null; inside: boolean };

/**
 * Where the labels of the version marks stand: in the head, over the bars, on the side of their line that has room
 * beside the head's own `headPx` of text and does not touch the label before. Else `inside`, over the bars; null where
 * it would touch another one there too: the line stays without its word.
 */
export function placeLabels(
  marks: readonly { code_version: string; at: number }[],
  width: number,
  headPx: number,
): PlacedMark[] {
  let free = headPx;
  let freeInside = 0;
  return [...marks]
    .sort((a, b) => a.at - b.at)
    .map(({ code_version, at }): PlacedMark => {
      const x = at * width;
      const wide = code_version.length * 6 + 10;
      const side = x - wide >= free ? 'left' : x >= free && x + wide <= width ? 'right' : null;
      if (side) {
        free = side === 'left' ? x : x + wide;
        return { code_version, at, side, inside: false };
      }
      const within = x - wide >= freeInside ? 'left' : x >= freeInside && x + wide <= width ? 'right' : null;
      if (within) freeInside = within === 'left' ? x : x + wide;
      return { code_version, at, side: within, inside: true };
    });
}
