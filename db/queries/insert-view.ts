import { sql } from 'drizzle-orm';
import type { View } from '@/lib/contract/view';
import type { Tx } from '../client';
import { VIEW_COLUMNS, type ViewRow } from './list-views';

/** Stores a new view, and forgets those that were deleted more than a day ago. A name in use raises a unique violation. */
export async function insertView(
  tx: Tx,
  { name, queue, search, actor }: { name: string; queue: string; search: string; actor: string },
): Promise<View> {
  const { rows } = await tx.execute<ViewRow>(sql`
    with forgotten as (delete from dlq.saved_view where deleted_at < now() - interval '1 day')
    insert into dlq.saved_view as v (name, queue, search, created_by, changed_by)
    values (${name}::text, ${queue}::text, ${search}::text, ${actor}::text, ${actor}::text)
    returning ${VIEW_COLUMNS}`);
  return rows[0]!;
}
