import { sql } from 'drizzle-orm';
import type { View } from '@/lib/contract/view';
import type { Db, Tx } from '../client';
import { VIEW_COLUMNS, type ViewRow } from './list-views';

/** The view, whether it is deleted or not. */
export async function getView(db: Db | Tx, id: string): Promise<(View & { is_deleted: boolean }) | undefined> {
  const { rows } = await db.execute<ViewRow & { is_deleted: boolean }>(sql`
    select ${VIEW_COLUMNS}, v.deleted_at is not null as is_deleted from dlq.saved_view v where v.id = ${id}::bigint`);
  return rows[0];
}
