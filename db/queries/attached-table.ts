import { sql } from 'drizzle-orm';
import type { Db, Tx } from '../client';

/** How a table is put under capture; the database makes id, times and counts. */
export interface Attachment {
  schema_name: string;
  table_name: string;
  table_oid: string;
  rows_are: 'units' | 'failures';
  /** Field of a capture: the columns that give it. */
  mapping: Record<string, string[]>;
  row_key: string[];
  task_name: string;
  queue: string | null;
}

export interface AttachedTable extends Attachment {
  id: number;
  /** As it is called by now, quoted; null when it is gone or its triggers are off. */
  relation: string | null;
  attached_at: string;
  attached_by: string;
  detached_at: string | null;
  rows_read: string;
  rows_taken: string;
  rows_known: string;
  backfilled_at: string | null;
  write_back_error: string | null;
  entries: string;
}

/** An attachment as the row that the functions of the database take. */
export const attachmentRow = (attachment: Attachment & { id?: number }) =>
  sql`jsonb_populate_record(null::dlq.attached_table, ${JSON.stringify(attachment)}::jsonb)`;

/** Puts the table under capture, in the caller's transaction, which waits for its writers. Answers the attachment's id. */
export async function attachTable(tx: Tx, attachment: Attachment): Promise<number> {
  const { rows } = await tx.execute<{ id: number }>(sql`select dlq.attach(${attachmentRow(attachment)}) as id`);
  return rows[0]?.id ?? 0;
}

/** The statements that attaching would run. */
export async function attachStatements(db: Db | Tx, attachment: Attachment): Promise<string[]> {
  const { rows } = await db.execute<{ statements: string[] }>(sql`
    select dlq.attach_statements(jsonb_populate_record(null::dlq.attached_table, ${JSON.stringify(attachment)}::jsonb
      || jsonb_build_object('id', (select coalesce(max(t.id), 0) + 1 from dlq.attached_table t)))) as statements`);
  return rows[0]?.statements ?? [];
}

/** Attachments, the newest first; detached ones too. */
export async function listAttached(db: Db | Tx): Promise<AttachedTable[]> {
  const { rows } = await db.execute<AttachedTable & Record<string, unknown>>(sql`
    select t.id, t.schema_name, t.table_name, t.table_oid::text as table_oid, t.rows_are, t.mapping, t.row_key, t.task_name, t.queue,
      dlq.attached_relation(t.id)::text as relation, dlq.iso(t.attached_at) as attached_at, t.attached_by,
      dlq.iso(t.detached_at) as detached_at, t.rows_read::text as rows_read, t.rows_taken::text as rows_taken,
      t.rows_known::text as rows_known, dlq.iso(t.backfilled_at) as backfilled_at, t.write_back_error,
      (select count(*) from dlq.attached_row r where r.attached_id = t.id)::text as entries
    from dlq.attached_table t order by t.id desc`);
  return rows;
}

/** Takes the triggers off, in the caller's transaction. */
export async function detachTable(tx: Tx, id: number): Promise<void> {
  await tx.execute(sql`select dlq.detach(${id}::integer)`);
}
