import { sql } from 'drizzle-orm';
import type { View } from '@/lib/contract/view';
import type { Db } from '../client';
import { VIEW_COLUMNS, type ViewRow } from './list-views';

/** Marks the view as deleted if its version is the one given; it can come back for a day. */
export async function deleteView(db: Db, id: string, version: string, actor: string): Promise<View | undefined> {
  const { rows } = await db.execute<ViewRow>(sql`
    update dlq.saved_view v set deleted_at = clock_timestamp(), version = v.version + 1, changed_by = ${actor}::text,
      changed_at = clock_timestamp()
    where v.id = ${id}::bigint and v.version = ${version}::bigint and v.deleted_at is null
    returning ${VIEW_COLUMNS}`);
  return rows[0];
}
