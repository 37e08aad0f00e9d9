import { sql } from 'drizzle-orm';
import type { Db, Tx } from '../client';

export interface BackfilledRows {
  /** Where the backfill stood before and stands after these rows, as texts of the row key. */
  after: string[] | null;
  last: string[] | null;
  rows_read: number;
  rows_taken: number;
  rows_known: number;
}

/** Captures the next `size` rows of an attached table; `careful` sets a row aside that the database refuses. */
export async function backfillCaptures(
  tx: Tx,
  id: number,
  { size, careful }: { size: number; careful: boolean },
): Promise<BackfilledRows> {
  const { rows } = await tx.execute<BackfilledRows & Record<string, unknown>>(sql`
    select b.after, b.last, b.rows_read, b.rows_taken, b.rows_known
    from dlq.backfill_captures(${id}::integer, ${size}::integer, ${careful}::boolean) b`);
  return rows[0] as BackfilledRows;
}

/** Carries over the marks of rows whose captures are committed, and moves the place of the backfill. */
export async function backfillMarks(tx: Tx, id: number, done: BackfilledRows): Promise<void> {
  await tx.execute(sql`
    select dlq.backfill_marks(${id}::integer, ${sql.param(done.after)}::text[], ${sql.param(done.last)}::text[],
      ${done.rows_read}::integer, ${done.rows_taken}::integer, ${done.rows_known}::integer)`);
}

/** Remembers that the whole table was read. */
export async function endBackfill(db: Db | Tx, id: number): Promise<void> {
  await db.execute(sql`
    update dlq.attached_table set backfilled_at = coalesce(backfilled_at, clock_timestamp()) where id = ${id}::integer`);
}

export interface Compared {
  rows: string;
  with_entry: string;
  skipped: string;
  missing: string;
  entries: string;
  reasons: { reason: string; count: string }[];
}

/** The table against its entries, row by row, in one snapshot. */
export async function compareAttached(db: Db | Tx, id: number): Promise<Compared> {
  const { rows } = await db.execute<Compared & Record<string, unknown>>(sql`
    select c.rows::text, c.with_entry::text, c.skipped::text, c.missing::text, c.entries::text,
      (select coalesce(jsonb_agg(jsonb_build_object('reason', s.reason, 'count', s.n::text) order by s.n desc), '[]')
        from (select k.reason, count(*) as n from dlq.attached_skip k where k.attached_id = ${id}::integer group by 1 order by 2 desc limit 10) s) as reasons
    from dlq.compare_attached(${id}::integer) c`);
  return rows[0] as Compared;
}
