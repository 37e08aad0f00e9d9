import { sql } from 'drizzle-orm';
import type { Tx } from '../client';

/** How far a file is loaded. */
export interface SpoolProgress {
  done_bytes: number;
  fingerprint: string | null;
  /** When the file was written that is read; see `lineId`. Null before anything of it is read. */
  edition: string | null;
  lines: number;
  stored: number;
  duplicates: number;
  rejected: number;
}

/**
 * Moves a file's place, in the transaction that stores its lines. False where the worker no longer holds the file or it
 * was moved from another place: the transaction must then be rolled back.
 */
export async function advanceSpoolFile(
  tx: Tx,
  input: {
    id: string;
    worker: string;
    from_bytes: number;
    to: SpoolProgress;
    side_file: string | null;
    is_loaded: boolean;
    lease_s: number;
  },
): Promise<boolean> {
  const { to, is_loaded } = input;
  const { rows } = await tx.execute(sql`
    update dlq.spool_file
    set done_bytes = ${to.done_bytes}::bigint, fingerprint = ${to.fingerprint}::text, edition = ${to.edition}::text,
      side_file = coalesce(${input.side_file}::text, side_file), lines = ${to.lines}::bigint,
      stored = ${to.stored}::bigint, duplicates = ${to.duplicates}::bigint, rejected = ${to.rejected}::bigint,
      size_bytes = greatest(size_bytes, ${to.done_bytes}::bigint),
      state = case when ${is_loaded}::boolean then 'loaded' else 'loading' end,
      loaded_at = case when ${is_loaded}::boolean then clock_timestamp() else loaded_at end,
      worker = case when ${is_loaded}::boolean then null else worker end,
      lease_until = case when not ${is_loaded}::boolean then clock_timestamp() + make_interval(secs => ${input.lease_s}::double precision) end
    where id = ${input.id}::bigint and worker = ${input.worker}::text and state = 'loading' and done_bytes = ${input.from_bytes}::bigint
    returning id`);
  return rows.length === 1;
}
