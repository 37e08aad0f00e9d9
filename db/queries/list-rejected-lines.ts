import { type SQL, sql } from 'drizzle-orm';
import type { RejectedLineState } from '@/lib/contract/spool';
import type { Db } from '../client';

const columns = sql`
  r.id::text as id, r.spool_file_id::text as spool_file_id, f.source, f.name, f.side_file, r.line::double precision as line,
  r.byte_offset::double precision as byte_offset, r.reason, r.message, r.head, r.is_whole, dlq.iso(r.at) as at,
  dlq.iso(r.dismissed_at) as dismissed_at, r.dismissed_by, r.entry_id::text as entry_id`;

/** Rejected lines, the newest first, from before the id `before` on; `is_open` narrows them to those not dealt with, or to the others. */
export async function listRejectedLines(
  db: Db,
  input: { before: string; is_open: boolean | null; limit: number },
): Promise<RejectedLineState[]> {
  // written out: a comparison with a parameter would not find the partial index
  const open: SQL =
    input.is_open === null ? sql`true` : input.is_open ? sql`r.dismissed_at is null` : sql`r.dismissed_at is not null`;
  const { rows } = await db.execute<RejectedLineState & Record<string, unknown>>(sql`
    select ${columns}
    from dlq.rejected_line r join dlq.spool_file f on f.id = r.spool_file_id
    where r.id < ${input.before}::bigint and ${open} order by r.id desc limit ${input.limit}::integer`);
  return rows;
}

/** One rejected line, or null. */
export async function getRejectedLine(db: Db, id: string): Promise<RejectedLineState | null> {
  const { rows } = await db.execute<RejectedLineState & Record<string, unknown>>(sql`
    select ${columns} from dlq.rejected_line r join dlq.spool_file f on f.id = r.spool_file_id where r.id = ${id}::bigint`);
  return rows[0] ?? null;
}
