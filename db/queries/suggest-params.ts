import { sql } from 'drizzle-orm';
import type { Db } from '@/db/client';
import type { Filter } from '@/lib/contract/filter';
import type { ParamScalar } from '@/lib/contract/param-condition';
import type { Role } from '@/lib/dead-letter/vocabulary';
import { recentPayloads, SAMPLE_SIZE, type Sampled } from './suggest-recent';

/** Distinct paths or values that are counted at most, and members that are read. */
const MOST_COUNTED = 1_000;
const MOST_READ = 50_000;

interface Asked {
  filter: Filter;
  role: Role;
}

export interface KnownPath {
  steps: string[];
  types: string[];
  count: number;
}

/** Paths to single values in the sample's params, five steps deep, the most frequent first. What lies in arrays has none. */
export async function suggestParamPaths(db: Db, { filter, role }: Asked): Promise<{ paths: KnownPath[] } & Sampled> {
  const { rows } = await db.execute<{ paths: KnownPath[] } & Sampled & Record<string, unknown>>(sql`
    with recursive ${recentPayloads(filter, role)}, member as (
      select array[k.key] as steps, k.value from recent r, jsonb_each(case when jsonb_typeof(r.params) = 'object' then r.params end) k
      union all
      select m.steps || k.key, k.value from member m, jsonb_each(case when jsonb_typeof(m.value) = 'object' then m.value end) k
      where cardinality(m.steps) < 5
    ), counted as (
      select steps, array_agg(distinct jsonb_typeof(value)) as types, count(*) as n from (select * from member limit ${MOST_READ}::integer) m
      where jsonb_typeof(value) not in ('object', 'array') group by steps order by n desc, steps limit ${MOST_COUNTED}::integer
    )
    select ${SAMPLE_SIZE}, (select coalesce(jsonb_agg(jsonb_build_object('steps', steps, 'types', types, 'count', n) order by n desc, steps), '[]')
      from counted) as paths`);
  return rows[0] ?? { paths: [], sampled: 0, capped: false };
}

/** Single values at a path in the sample's params, the most frequent first. */
export async function suggestParamValues(
  db: Db,
  { filter, role, steps }: Asked & { steps: string[] },
): Promise<{ values: { value: ParamScalar; count: number }[] } & Sampled> {
  const { rows } = await db.execute<
    { values: { value: ParamScalar; count: number }[] } & Sampled & Record<string, unknown>
  >(sql`
    with ${recentPayloads(filter, role)}, counted as (
      select value, count(*) as n from (select params #> ${sql.param(steps)}::text[] as value from recent) v
      where jsonb_typeof(value) in ('string', 'number', 'boolean', 'null') and pg_column_size(value) <= 2000
      group by value order by n desc, value limit ${MOST_COUNTED}::integer
    )
    select ${SAMPLE_SIZE}, (select coalesce(jsonb_agg(jsonb_build_object('value', value, 'count', n) order by n desc, value), '[]')
      from counted) as values`);
  return rows[0] ?? { values: [], sampled: 0, capped: false };
}
