import { sql } from 'drizzle-orm';
import type { View } from '@/lib/contract/view';
import type { Tx } from '../client';
import { VIEW_COLUMNS, type ViewRow } from './list-views';

/** Changes the view if its version is the one given; a deleted one is there again. A name in use raises a unique violation. */
export async function updateView(
  tx: Tx,
  id: string,
  {
    name,
    queue,
    search,
    version,
    actor,
  }: { name: string; queue: string; search: string; version: string; actor: string },
): Promise<View | undefined> {
  const { rows } = await tx.execute<ViewRow>(sql`
    update dlq.saved_view v set name = ${name}::text, queue = ${queue}::text, search = ${search}::text, deleted_at = null,
      version = v.version + 1, changed_by = ${actor}::text, changed_at = clock_timestamp()
    where v.id = ${id}::bigint and v.version = ${version}::bigint
    returning ${VIEW_COLUMNS}`);
  return rows[0];
}
