import { countText } from '@/components/ui/number-text';
import type { Filter } from '@/lib/contract/filter';
import type { SignatureTrends } from '@/lib/contract/signature-trends';
import type { Triage } from '@/lib/contract/triage';
import type { SignatureOrder } from '../triage-url.model';

export type TrendWord = 'new' | 'rising' | 'steady' | 'falling' | 'stopped';
/** `recent` and `before` are failures a day: of the last quarter of the axis, and of what lies before it. */
export type Trend = { counts: readonly number[]; recent: number; before: number; word: TrendWord };

export type SignatureRow = Triage['signatures'][number] & {
  /** Of the entries of its class that match, 0 to 1; null where the class is not among those counted. */
  share: number | null;
  trend: Trend | null;
  tasks: string[];
  task_count: number;
};

/** By how much one rate must differ from the other before it is called a trend. */
const DIFFERS = 1.5;
const DAY_S = 86_400;

export function trendOf(counts: readonly number[], bin_s: number): Trend {
  const last = Math.max(1, Math.round(counts.length / 4));
  const cut = Math.max(0, counts.length - last);
  const perDay = (part: readonly number[]) =>
    part.length === 0 ? 0 : (part.reduce((sum, n) => sum + n, 0) / part.length) * (DAY_S / bin_s);
  const recent = perDay(counts.slice(cut));
  const before = perDay(counts.slice(0, cut));
  return { counts, recent, before, word: cut === 0 ? 'steady' : wordOf(recent, before) };
}

function wordOf(recent: number, before: number): TrendWord {
  if (before === 0) return recent > 0 ? 'new' : 'steady';
  if (recent === 0) return 'stopped';
  if (recent > before * DIFFERS) return 'rising';
  return recent < before / DIFFERS ? 'falling' : 'steady';
}

/** `rising: 12 a day lately, 3 before`. */
export function trendText({ word, recent, before }: Trend): string {
  if (word === 'new') return `new: ${rateText(recent)} lately, none before`;
  if (word === 'stopped') return `stopped: none lately, ${rateText(before)} before`;
  return `${word}: ${rateText(recent)} lately, ${rateText(before)} before`;
}

function rateText(per_day: number): string {
  return per_day < 9.5
    ? `${+per_day.toFixed(per_day < 0.95 ? 2 : 1)} a day`
    : `${countText(Math.round(per_day))} a day`;
}

/** `38 %`, `<1 %`. */
export function shareText(share: number): string {
  const percent = share * 100;
  return percent > 0 && percent < 1 ? '<1 %' : `${Math.round(percent)} %`;
}

/** What trends are asked of: the signatures on the list, which need not be the most frequent of the newest failures. */
export function trendsFilter(filter: Filter, { signatures }: Pick<Triage, 'signatures'>): Filter {
  return { ...filter, signature: signatures.map(({ signature }) => signature) };
}

/** The answer's signatures with what is known of each beside it, in the order asked for; equals stay as they came. */
export function signatureRows(answer: Triage, trends: SignatureTrends | null, by: SignatureOrder): SignatureRow[] {
  const of_class = new Map(answer.facets.failure_class.values.map(({ value, count }) => [value, count]));
  const known = new Map(trends?.items.map((item) => [item.signature, item]));
  const rows = answer.signatures.map((each): SignatureRow => {
    const all = of_class.get(each.failure_class);
    const found = known.get(each.signature);
    return {
      ...each,
      // a signature can be of several classes, and is named by that of its newest
      share: all ? Math.min(1, each.count / all) : null,
      trend: found && trends ? trendOf(found.counts, trends.bin_s) : null,
      tasks: found?.tasks.map(({ task_name }) => task_name) ?? [],
      task_count: found?.task_count ?? 0,
    };
  });
  if (by === 'count') return rows;
  const value = by === 'newest' ? newestValue : riseValue;
  return rows
    .map((row, place) => ({ row, place }))
    .sort((a, b) => compare(value(b.row), value(a.row)) || a.place - b.place)
    .map(({ row }) => row);
}

const newestValue = ({ failed_at }: SignatureRow): number => {
  const at = new Date(failed_at).getTime();
  // `infinity` and what lies beyond it in the writer's broken clock
  return Number.isNaN(at) ? (failed_at.startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY) : at;
};
const riseValue = ({ trend }: SignatureRow): number => (trend ? trend.recent - trend.before : Number.NEGATIVE_INFINITY);
const compare = (a: number, b: number): number => (a === b ? 0 : a < b ? -1 : 1);

/** `tile_clip`, `tile_clip and 2 more`; '' where none is known. */
export function tasksText({ tasks, task_count }: Pick<SignatureRow, 'tasks' | 'task_count'>): string {
  const [first] = tasks;
  if (first === undefined) return '';
  return task_count > 1 ? `${first} and ${countText(task_count - 1)} more` : first;
}

/** The line of a sparkline in a box of `width` × `height`, its peak at the top; '' for nothing. */
export function sparkPath(counts: readonly number[], width: number, height: number): string {
  const peak = Math.max(0, ...counts);
  if (counts.length === 0 || peak === 0) return '';
  const step = counts.length === 1 ? 0 : width / (counts.length - 1);
  const points = counts.map((n, i) => `${+(i * step).toFixed(2)} ${+(height - (n / peak) * height).toFixed(2)}`);
  // one bin is a line across the box
  return `M${points.join('L')}${counts.length === 1 ? `H${width}` : ''}`;
}
