import { dayText, minuteText } from '@/components/ui/time-text';
import type { Filter } from '@/lib/contract/filter';
import type { Histogram } from '../histogram.model';

/** Rows of a table; further words share the last one. */
const MAX_CLASSES = 12;
const DAY_MS = 86_400_000;

export type TimeColumn = { start: number; end: number };
export type ClassRow = {
  /** The class's own word; null for the words that have no row of their own. */
  failure_class: string | null;
  /** The words that the row counts. */
  words: string[];
  counts: number[];
  total: number;
};
export type ClassTime = { columns: TimeColumn[]; rows: ClassRow[]; peak: number };

/**
 * How many failed by class and time, of the histogram's own bins: the columns run without gaps to the one that holds
 * `now`, merged in whole steps to at most `most`; every entry of the bins is in exactly one cell.
 */
export function classTime(histogram: Histogram, now: string, most: number): ClassTime {
  const bin_ms = histogram.bin_s * 1000;
  const starts = histogram.bins.map(({ start }) => new Date(start).getTime());
  if (starts.length === 0) return { columns: [], rows: [], peak: 0 };
  const first = Math.min(...starts);
  const last = Math.max(Math.floor(new Date(now).getTime() / bin_ms) * bin_ms, ...starts);
  const bins = Math.round((last - first) / bin_ms) + 1;
  const merged = Math.max(1, Math.ceil(bins / Math.max(1, most)));
  const count = Math.ceil(bins / merged);
  // the last column is whole: an incomplete one belongs at the old end
  const origin = last + bin_ms - count * merged * bin_ms;
  const columns = Array.from({ length: count }, (_, i) => ({
    start: origin + i * merged * bin_ms,
    end: origin + (i + 1) * merged * bin_ms,
  }));
  const by_word = new Map<string, number[]>();
  histogram.bins.forEach((bin, i) => {
    const column = Math.floor((starts[i]! - origin) / (merged * bin_ms));
    for (const [word, n] of Object.entries(bin.counts)) {
      const counts = by_word.get(word) ?? new Array<number>(count).fill(0);
      counts[column] = (counts[column] ?? 0) + n;
      by_word.set(word, counts);
    }
  });
  const all = [...by_word]
    .map(([word, counts]): ClassRow => ({ failure_class: word, words: [word], counts, total: sum(counts) }))
    .sort((a, b) => b.total - a.total || (a.words[0]! < b.words[0]! ? -1 : 1));
  const own = all.length > MAX_CLASSES ? all.slice(0, MAX_CLASSES - 1) : all;
  const rest = all.slice(own.length);
  const rows = rest.length === 0 ? own : [...own, together(rest, count)];
  return { columns, rows, peak: Math.max(0, ...rows.flatMap(({ counts }) => counts)) };
}

function together(rows: ClassRow[], count: number): ClassRow {
  const counts = Array.from({ length: count }, (_, i) => sum(rows.map((row) => row.counts[i] ?? 0)));
  return { failure_class: null, words: rows.flatMap(({ words }) => words), counts, total: sum(counts) };
}

const sum = (counts: readonly number[]): number => counts.reduce((all, n) => all + n, 0);

/** How dark a cell is, 0 (nothing) to 5: by orders of magnitude, since the largest would leave all others white. */
export function shade(count: number, peak: number): number {
  if (count <= 0 || peak <= 0) return 0;
  if (peak === 1) return 5;
  return 1 + Math.min(4, Math.floor((5 * Math.log(count)) / Math.log(peak + 1)));
}

/** The filter of one cell: its class, from its beginning to its end; the last column is open towards now. */
export function cellFilter(filter: Filter, { rows, columns }: ClassTime, row: number, column: number): Filter | null {
  const words = rows[row]?.words ?? [];
  const at = columns[column];
  // a condition of more words, or of one with a meaning of its own, does not exist
  if (
    !at ||
    words.length === 0 ||
    words.length > 200 ||
    words.some((word) => /^!|\*$|^∅?$/.test(word) || word.length > 500)
  )
    return null;
  const { since: _, until: __, ...rest } = filter;
  return {
    ...rest,
    failure_class: words,
    since: new Date(at.start).toISOString(),
    ...(column === columns.length - 1 ? {} : { until: new Date(at.end).toISOString() }),
  };
}

/** `24 Nov`, `24 – 25 Nov`, `24 Nov 14:00`. */
export function columnName({ start, end }: TimeColumn, now: string): string {
  if (end - start < DAY_MS) return `${dayText(start, now)} ${minuteText(start)}`;
  return end - start === DAY_MS ? dayText(start, now) : `${dayText(start, now)} – ${dayText(end - DAY_MS, now)}`;
}

export type Place = { row: number; column: number };
const STEPS: Record<string, [number, number]> = {
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
};

/** Where a key leads in the table, or null where it is none of its keys. */
export function movedPlace({ row, column }: Place, key: string, rows: number, columns: number): Place | null {
  if (key === 'Home') return { row, column: 0 };
  if (key === 'End') return { row, column: columns - 1 };
  const step = STEPS[key];
  if (!step) return null;
  return { row: clamp(row + step[0], rows), column: clamp(column + step[1], columns) };
}

const clamp = (at: number, count: number): number => Math.max(0, Math.min(count - 1, at));
