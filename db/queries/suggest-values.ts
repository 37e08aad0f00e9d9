import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '@/db/client';
import type { SuggestedField } from '@/lib/contract/search';

const COLUMNS: Record<Exclude<SuggestedField, 'source_uri'>, SQL> = {
  task_name: sql.raw('task_name'),
  src_crs: sql.raw('src_crs'),
  code_version: sql.raw('code_version'),
  signature: sql.raw('signature'),
};

/**
 * Values of a facet's field that begin with the prefix, in the order of their bytes: each found from the one before by the
 * index, whatever number of combos has it. A value over 200 characters is left out.
 */
export async function suggestValues(
  db: Db,
  field: Exclude<SuggestedField, 'source_uri'>,
  prefix: string,
  most: number,
): Promise<string[]> {
  const value = sql`(left(c.${COLUMNS[field]}, 200) collate "C")`;
  const { rows } = await db.execute<{ value: string }>(sql`
    with recursive found as (
      (select ${value} as value from dlq.combo c where ${value} >= ${prefix}::text order by 1 limit 1)
      union all
      select (select ${value} from dlq.combo c where ${value} > f.value order by 1 limit 1)
      from found f where starts_with(f.value, ${prefix}::text)
    )
    select value from found where starts_with(value, ${prefix}::text) and char_length(value) < 200 limit ${most}::integer`);
  return rows.map(({ value: text }) => text);
}
