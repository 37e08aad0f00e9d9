import { sql } from 'drizzle-orm';
import type { Tx } from '../client';

export interface RejectedRow {
  line: number;
  byte_offset: number;
  /** 64 hex digits, of the line's bytes. */
  sha256: string;
  reason: string;
  message: string;
  head: string;
  is_whole: boolean;
}

/** Keeps lines that could not be taken; one that is there already stays as it is. */
export async function insertRejectedLines(
  tx: Tx,
  { spool_file_id, edition }: { spool_file_id: string; edition: string },
  lines: readonly RejectedRow[],
): Promise<void> {
  if (lines.length === 0) return;
  const column = <K extends keyof RejectedRow>(name: K) => sql.param(lines.map((line) => line[name]));
  await tx.execute(sql`
    insert into dlq.rejected_line (spool_file_id, edition, line, byte_offset, sha256, reason, message, head, is_whole)
    select ${spool_file_id}::bigint, ${edition}::text, x.line, x.byte_offset, decode(x.sha256, 'hex'), x.reason, x.message, x.head, x.is_whole
    from unnest(${column('line')}::bigint[], ${column('byte_offset')}::bigint[], ${column('sha256')}::text[], ${column('reason')}::text[],
      ${column('message')}::text[], ${column('head')}::text[], ${column('is_whole')}::boolean[])
      as x (line, byte_offset, sha256, reason, message, head, is_whole)
    on conflict (spool_file_id, edition, line, sha256) do nothing`);
}
