import { sql } from 'drizzle-orm';
import type { Db } from '@/db/client';
import type { TriageIndexThread } from '@/lib/follow/triage-index';
import type { TriageContext } from '@/lib/triage/triage-context';
import { percentile, timeOf } from '../percentile';
import { less, more, type Row } from '../row';
import { answerTo } from './answers';

const SINGLE_CHANGES = 9;
/** At most; smaller queues change a tenth. */
const BULK = 1_000_000;
const CHUNK = 5_000;

/** How soon a committed change is in an answer, one entry and a bulk action's; and what an answer takes while that is followed. */
export async function benchChanges(
  ctx: TriageContext,
  db: Db,
  index: TriageIndexThread,
  count: number,
): Promise<Row[]> {
  const single: number[] = [];
  for (let i = 0; i < SINGLE_CHANGES; i++) {
    await quarantine(db, 1);
    single.push(await timeOf(() => answerTo(ctx, {})));
  }
  const bulk = Math.min(BULK, Math.floor(count / 10));
  const meanwhile: number[] = [];
  let changed = 0;
  const written = await timeOf(async () => {
    while (changed < bulk) {
      const done = await quarantine(db, CHUNK);
      if (done === 0) break;
      changed += done;
      if (changed % (20 * CHUNK) === 0)
        meanwhile.push(await timeOf(() => answerTo(ctx, { failure_class: ['crs_mismatch'] })));
    }
  });
  const quiet = await timeOf(() => answerTo(ctx, { failure_class: ['crs_mismatch'] }));
  const caught_up = await timeOf(async () => {
    for (;;) {
      const status = await index.look();
      if (status && status.behind_s < 1) return;
    }
  });
  return [
    less('change of one entry → answer with it', percentile(single, 0.95), 'ms p95', null),
    more('bulk change, written and followed', changed / (written / 1000), 'entries/s', null),
    less('the last of it → the index has all', caught_up, 'ms', null),
    less('answer while it is followed, beside a quiet one', percentile(meanwhile, 0.95), 'ms p95', quiet),
  ];
}

/** Quarantines so many open entries, as a bulk action's chunk does; answers how many there were. */
async function quarantine(db: Db, most: number): Promise<number> {
  const { rowCount } = await db.execute(sql`
    update dlq.state s set state = 'quarantined', version = s.version + 1
    from (select entry_id from dlq.state where state = 'open' order by failed_at desc, entry_id desc limit ${most}::integer for update skip locked) x
    where s.entry_id = x.entry_id`);
  return rowCount ?? 0;
}
