import type { TimeCount } from '@/db/queries/count-by-time';
import type { Triage } from '@/lib/contract/triage';

const DAY_S = 86_400;
export const MAX_BINS = 120;

/**
 * Bins that begin at midnight UTC: a day each, or as many days as keep them at 120 and under.
 * @param first_s first failure, seconds since 1970; `last_s` the last one.
 */
export function binsFor(first_s: number, last_s: number): { start_s: number; bin_s: number; bins: number } {
  const first_day = Math.floor(first_s / DAY_S);
  const days = Math.floor(last_s / DAY_S) - first_day + 1;
  const bin_days = Math.ceil(days / MAX_BINS);
  return { start_s: first_day * DAY_S, bin_s: bin_days * DAY_S, bins: Math.ceil(days / bin_days) };
}

/** Counts of days (since 1970) as counts of the bins that they lie in. */
export function inBins(
  { start_s, bin_s }: ReturnType<typeof binsFor>,
  days: readonly { day: number; failure_class: string; count: number }[],
): TimeCount[] {
  const counted = new Map<string, TimeCount>();
  for (const { day, failure_class, count } of days) {
    const bin = Math.floor((day * DAY_S - start_s) / bin_s);
    const key = `${bin} ${failure_class}`;
    const known = counted.get(key);
    if (known) known.count += count;
    else counted.set(key, { bin, failure_class, count });
  }
  return [...counted.values()];
}

/** Every bin in order, the empty ones too. */
export function histogramOf(
  { start_s, bin_s, bins }: ReturnType<typeof binsFor>,
  counts: readonly TimeCount[],
): Triage['histogram']['bins'] {
  const by_bin = new Map<number, [string, number][]>();
  for (const { bin, failure_class, count } of counts)
    by_bin.set(bin, [...(by_bin.get(bin) ?? []), [failure_class, count]]);
  return Array.from({ length: bins }, (_, bin) => ({
    start: new Date((start_s + bin * bin_s) * 1000).toISOString(),
    // fromEntries makes an own property of any word, also of "__proto__"
    counts: Object.fromEntries(by_bin.get(bin) ?? []),
  }));
}
