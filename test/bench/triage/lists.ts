import { sql } from 'drizzle-orm';
import type { Db } from '@/db/client';
import type { Filter } from '@/lib/contract/filter';
import { SORTS } from '@/lib/contract/triage';
import { type ListInput, list } from '@/lib/triage/list';
import type { TriageContext } from '@/lib/triage/triage-context';
import { percentile, timeOf, timesOf } from '../percentile';
import { less, type Row } from '../row';

const LIST_FILTERS: Readonly<Record<string, Filter>> = {
  none: {},
  'one class': { failure_class: ['invalid_geometry'] },
  rare: { task_name: ['task_27'], src_crs: ['EPSG:28992'], code_version: ['v3'] },
};
const PAGE = 100;
/** Pages that are turned to get away from the first one. */
const TURNS = 20;

/** A page of the list: the first, those behind it, and by keyset from the middle of time; beside OFFSET to the middle. */
export async function benchLists(ctx: TriageContext, offset_db: Db, count: number): Promise<Row[]> {
  const rows: Row[] = [];
  const middle = Math.floor(count / 4);
  const offset_ms = await timeOf(() =>
    offset_db.execute(sql`
      select e.id, e.work_key, left(e.error_text, 300) from dlq.state s join dlq.entry e on e.id = s.entry_id
      where s.state <> 'resolved' order by s.failed_at desc, s.entry_id desc offset ${middle}::integer limit ${PAGE}::integer`),
  );
  for (const sort of SORTS)
    for (const [name, filter] of Object.entries(LIST_FILTERS)) {
      const first: ListInput = { filter, sort, dir: 'desc', limit: PAGE, cursor: null };
      const times = await timesOf(() => list(ctx, first));
      let cursor: string | null = (await list(ctx, first)).next_cursor;
      for (let turn = 0; turn < TURNS && cursor !== null; turn++) {
        const started = performance.now();
        cursor = (await list(ctx, { ...first, cursor })).next_cursor;
        times.push(performance.now() - started);
      }
      rows.push(less(`list by ${sort}, ${name}`, percentile(times, 0.95), 'ms p95', null));
    }
  const at = '2026-10-16T12:00:00Z';
  const jumped = await timesOf(() =>
    list(ctx, { filter: {}, sort: 'failed_at', dir: 'desc', limit: PAGE, cursor: null, at }),
  );
  rows.push(less('list at a moment in the middle, beside offset', percentile(jumped, 0.95), 'ms p95', offset_ms));
  return rows;
}
