import { sql } from 'drizzle-orm';
import type { Db } from '@/db/client';
import type { Filter } from '@/lib/contract/filter';
import type { TriageContext } from '@/lib/triage/triage-context';
import { percentile, timeOf, timesOf } from '../percentile';
import { less, type Row } from '../row';
import { answerTo } from './answers';

/** A word of few errors, a word of most, a value of params that a third has with one that few have, a box of Ohio as a polygon. */
const SEARCHES: Readonly<Record<string, { filter: Filter; baseline: (db: Db) => Promise<unknown> }>> = {
  'q: a rare word': {
    filter: { q: 'unit 1234567' },
    baseline: (db) =>
      db.execute(
        sql`select count(*) from dlq.entry e where e.error_text ilike '%1234567%' or e.traceback ilike '%1234567%'`,
      ),
  },
  'q: a word of most': {
    filter: { q: 'process' },
    baseline: (db) =>
      db.execute(
        sql`select count(*) from dlq.entry e where e.error_text ilike '%process%' or e.traceback ilike '%process%'`,
      ),
  },
  'params: two values and a task': {
    filter: {
      params: [
        { path: 'resampling', op: '=', value: 'cubic' },
        { path: 'level', op: '=', value: 7 },
      ],
      task_name: ['task_27'],
    },
    baseline: (db) =>
      db.execute(sql`select count(*) from dlq.entry e join dlq.payload p on (p.entry_id, p.payload_hash) = (e.id, e.payload_hash)
        where p.params ->> 'resampling' = 'cubic' and p.params ->> 'level' = '7' and e.task_name = 'task_27'`),
  },
  'polygon: Ohio': {
    filter: {
      polygon: [
        [-84.8, 38.4],
        [-80.5, 38.4],
        [-80.5, 41.9],
        [-84.8, 41.9],
      ],
    },
    baseline: (db) =>
      db.execute(
        sql`select count(*) from dlq.diagnosis d where ST_Intersects(d.footprint, ST_MakeEnvelope(-84.8, 38.4, -80.5, 41.9, 4326))`,
      ),
  },
};

/** The whole triage answer to a search, beside the bare count of the same in a statement written by hand (one run). */
export async function benchSearch(ctx: TriageContext, patient: Db): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [name, { filter, baseline }] of Object.entries(SEARCHES)) {
    const by_hand = await timeOf(() => baseline(patient));
    const times = await timesOf(() => answerTo(ctx, filter), 5);
    rows.push(less(`search, ${name}`, percentile(times, 0.95), 'ms p95', by_hand));
  }
  return rows;
}
