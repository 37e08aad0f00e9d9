import type { Filter } from '@/lib/contract/filter';
import { triage } from '@/lib/triage/triage';
import type { TriageContext } from '@/lib/triage/triage-context';
import { percentile, timeOf, timesOf } from '../percentile';
import { less, type Row } from '../row';

const FIRST_PAGE = { sort: 'failed_at', dir: 'desc', limit: 100, cursor: null } as const;

export const answerTo = (ctx: TriageContext, filter: Filter) => triage(ctx, { filter, ...FIRST_PAGE });

/** Milliseconds of the whole answer in SQL (facets, histogram, signatures and first page), per filter; one run each after one that warms up. */
export async function timesInSql(
  ctx: TriageContext,
  filters: Readonly<Record<string, Filter>>,
): Promise<Map<string, number>> {
  await answerTo(ctx, {});
  const times = new Map<string, number>();
  for (const [name, filter] of Object.entries(filters)) times.set(name, await timeOf(() => answerTo(ctx, filter)));
  return times;
}

/** The same answers by the index, beside those in SQL: the 95th percentile of 9 runs of each filter, and of all. */
export async function benchAnswers(
  ctx: TriageContext,
  filters: Readonly<Record<string, Filter>>,
  in_sql: ReadonlyMap<string, number>,
): Promise<Row[]> {
  const rows: Row[] = [];
  const all: number[] = [];
  for (const [name, filter] of Object.entries(filters)) {
    const times = await timesOf(() => answerTo(ctx, filter));
    all.push(...times);
    rows.push(less(`triage: ${name}`, percentile(times, 0.95), 'ms p95', in_sql.get(name) ?? null));
  }
  const baseline = (share: number) => (in_sql.size === 0 ? null : percentile([...in_sql.values()], share));
  return [
    ...rows,
    less(`triage: ${rows.length} filters`, percentile(all, 0.95), 'ms p95', baseline(0.95)),
    less(`triage: ${rows.length} filters`, percentile(all, 0.5), 'ms median', baseline(0.5)),
  ];
}
