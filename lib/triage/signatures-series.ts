import type { TrendRows } from '@/db/queries/signature-trends';
import type { SignatureTrends } from '@/lib/contract/signature-trends';

const DAY_S = 86_400;

/** Every bin in its place, the empty ones too. */
export function trendsOf({ first_day, last_day, bin_days, as_of, counted_from, items }: TrendRows): SignatureTrends {
  const bins = first_day === null || last_day === null ? 0 : Math.ceil((last_day - first_day + 1) / bin_days);
  return {
    as_of,
    start: first_day === null ? null : new Date(first_day * DAY_S * 1000).toISOString(),
    bin_s: bin_days * DAY_S,
    bins,
    counted_from,
    items: items.map(({ counts, ...item }) => ({
      ...item,
      counts: Array.from({ length: bins }, (_, bin) => counts[bin] ?? 0),
    })),
  };
}
