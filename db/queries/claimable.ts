import { sql } from 'drizzle-orm';
import type { State } from '@/lib/dead-letter/vocabulary';
import type { Db, Tx } from '../client';

export type ClaimableRow = {
  entry_id: string;
  version: string;
  state: State;
  redrive_attempts: number;
  max_redrives: number;
  cancel_requested: boolean;
  worker_deaths: number;
  has_manifest: boolean;
  target: string | null;
  idempotent: boolean;
  /** Who changed it last, and when. */
  changed_by: string | null;
  changed_at: string | null;
};

/** What a claim of these entries would look at, and who was there last. Locks nothing. */
export async function claimable(db: Db | Tx, entry_ids: readonly string[]): Promise<ClaimableRow[]> {
  const { rows } = await db.execute<ClaimableRow>(sql`
    select s.entry_id::text, s.version::text, s.state, s.redrive_attempts, s.max_redrives, s.cancel_requested, s.worker_deaths,
      t.task_name is not null as has_manifest, t.target, coalesce(t.idempotent, false) as idempotent,
      v.actor as changed_by, dlq.iso(v.at) as changed_at
    from dlq.state s
    join dlq.entry e on e.id = s.entry_id
    left join dlq.task t on t.task_name = e.task_name
    left join lateral (
      select v.actor, v.at from dlq.event v where v.entry_id = s.entry_id order by v.id desc limit 1) v on true
    where s.entry_id = any(${sql.param(entry_ids)}::bigint[])
    order by s.entry_id`);
  return rows;
}
