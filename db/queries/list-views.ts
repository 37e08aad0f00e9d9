import { sql } from 'drizzle-orm';
import type { View } from '@/lib/contract/view';
import type { Db } from '../client';

export interface ViewRow extends View, Record<string, unknown> {}

/** The columns of a view over the alias `v`. */
export const VIEW_COLUMNS = sql`v.id::text as id, v.name, nullif(v.queue, '') as queue, v.search, v.created_by,
  dlq.iso(v.created_at) as created_at, v.changed_by, dlq.iso(v.changed_at) as changed_at, v.version::text as version`;

/** Every view that is not deleted, by name. */
export async function listViewRows(db: Db): Promise<View[]> {
  const { rows } = await db.execute<ViewRow>(sql`
    select ${VIEW_COLUMNS} from dlq.saved_view v where v.deleted_at is null order by lower(v.name), v.id`);
  return rows;
}
