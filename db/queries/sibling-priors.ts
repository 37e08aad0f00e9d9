import { sql } from 'drizzle-orm';
import type { Tx } from '../client';

export interface SiblingRow extends Record<string, unknown> {
  sibling_key: string;
  entry_ids: string[];
  crs: string[];
  lons: (number | null)[];
  lats: (number | null)[];
}

/**
 * The accepted siblings of each key, at most 32: those whose claim agrees, and those whose edited claim was resolved as
 * fixed. One row a key that has any.
 */
export async function siblingPriors(tx: Tx, sibling_keys: readonly string[]): Promise<SiblingRow[]> {
  const { rows } = await tx.execute<SiblingRow>(sql`
    select k.key::text as sibling_key, array_agg(b.entry_id::text) as entry_ids, array_agg(b.crs) as crs, array_agg(b.lon) as lons,
      array_agg(b.lat) as lats
    from (select distinct key from unnest(${sql.param(sibling_keys)}::bigint[]) u (key)) k
    join dlq.sibling b on b.sibling_key = k.key
    where b.agrees or b.crs is not null and exists (select from dlq.state s where s.entry_id = b.entry_id and s.resolution = 'fixed')
    group by k.key`);
  return rows;
}
