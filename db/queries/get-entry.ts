import { sql } from 'drizzle-orm';
import type { Db, Tx } from '@/db/client';
import { positionFor } from '@/db/position-sql';
import { ITEM_COLUMNS, ITEM_DIAGNOSIS } from '@/db/queries/list-page';
import type { Entry } from '@/lib/contract/entry';
import type { ListItem } from '@/lib/contract/triage';
import type { Role } from '@/lib/dead-letter/vocabulary';

type Fields =
  | 'idempotency_key'
  | 'task_id'
  | 'geom_hash'
  | 'run_id'
  | 'traceback'
  | 'failure_class_claimed'
  | 'classified_by'
  | 'via'
  | 'redriven_at'
  | 'resolved_at'
  | 'resolution_reason'
  | 'redrive_total'
  | 'attempts_before'
  | 'attempts_before_by'
  | 'attempt_id';

export interface EntryRow extends Omit<ListItem, 'position'>, Pick<Entry, Fields>, Record<string, unknown> {
  sensitive: boolean;
  /** Hex of the current payload's hash. */
  payload_hash: string;
  lon: number | null;
  lat: number | null;
}

/** The entry itself, with its whole error text; null where there is none of this id. */
export async function getEntryRow(db: Db | Tx, id: string, role: Role): Promise<EntryRow | null> {
  const { rows } = await db.execute<EntryRow>(sql`
    select ${ITEM_COLUMNS}, e.error_text, e.idempotency_key, e.task_id, e.geom_hash, e.run_id, e.traceback, e.failure_class_claimed,
      e.classified_by, e.via, encode(e.payload_hash, 'hex') as payload_hash, dlq.iso(s.redriven_at) as redriven_at,
      dlq.iso(s.resolved_at) as resolved_at, s.resolution_reason, s.redrive_total, s.attempt_id,
      coalesce(b.attempts, 0) as attempts_before, b.tables as attempts_before_by,
      dlq.cell_lon(${positionFor(role)}) as lon, dlq.cell_lat(${positionFor(role)}) as lat
    from dlq.entry e join dlq.state s on s.entry_id = e.id join dlq.combo c on c.id = s.combo
    ${ITEM_DIAGNOSIS}
    left join lateral (
      select sum(r.attempts_before)::integer as attempts, string_agg(dlq.attached_via(a), ', ' order by a.id) as tables
      from dlq.attached_row r join dlq.attached_table a on a.id = r.attached_id
      where r.entry_id = e.id and r.attempts_before > 0
    ) b on true
    where e.id = ${id}::bigint`);
  return rows[0] ?? null;
}
