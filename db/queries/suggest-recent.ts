import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '@/db/client';
import { matching, SQL_CONDITIONS } from '@/db/filter-sql';
import type { Filter } from '@/lib/contract/filter';
import type { Role } from '@/lib/dead-letter/vocabulary';

/** The newest entries that are looked through for ones that match, and of these how many are read. */
const LOOKED_AT = 4_000;
const MOST_SAMPLED = 500;
/** Params beyond this are not read for suggestions: a generated document of ten thousand members would crowd out the rest. */
const MOST_BYTES = 8_192;

/**
 * The sample that suggestions come from, as `recent (params, source_uris, looked_at)`: the current payloads of the newest
 * entries that match. Conditions that read more than `dlq.state` and `dlq.combo` are left out: any of them can take seconds.
 * A viewer's sample has no sensitive entry.
 */
export function recentPayloads(filter: Filter, role: Role): SQL {
  return sql`newest as materialized (
      select s.* from dlq.state s order by s.failed_at desc, s.entry_id desc limit ${LOOKED_AT}::integer
    ), looked as materialized (
      select s.entry_id from newest s join dlq.combo c on c.id = s.combo
      where ${matching(filter, role, { without: SQL_CONDITIONS })} ${role === 'viewer' ? sql`and not c.sensitive` : sql``}
      limit ${MOST_SAMPLED}::integer
    ), recent as materialized (
      select case when pg_column_size(p.params) <= ${MOST_BYTES}::integer then p.params end as params, p.source_uris
      from looked l join dlq.entry e on e.id = l.entry_id join dlq.payload p on p.entry_id = e.id and p.payload_hash = e.payload_hash
      ${role === 'viewer' ? sql`where not e.sensitive` : sql``}
    )`;
}

/** Whether the sample is not everything: of how many entries it is, and whether older ones were left out. */
export const SAMPLE_SIZE = sql`(select count(*) from recent)::integer as sampled,
  ((select count(*) from newest) >= ${LOOKED_AT}::integer or (select count(*) from looked) >= ${MOST_SAMPLED}::integer) as capped`;

export interface Sampled {
  sampled: number;
  capped: boolean;
}

/** Sources of the sample that begin with the prefix, the most frequent first. */
export async function suggestSources(
  db: Db,
  { prefix, filter, role, most }: { prefix: string; filter: Filter; role: Role; most: number },
): Promise<{ values: string[] } & Sampled> {
  const { rows } = await db.execute<{ values: string[] } & Sampled & Record<string, unknown>>(sql`
    with ${recentPayloads(filter, role)}, counted as (
      select uri, count(*) as n from (select unnest(source_uris[1:20]) as uri from recent) u
      where starts_with(uri, ${prefix}::text) and char_length(uri) <= 2000 group by uri order by n desc, uri limit ${most}::integer
    )
    select ${SAMPLE_SIZE}, array(select uri from counted order by n desc, uri) as values`);
  return rows[0] ?? { values: [], sampled: 0, capped: false };
}
