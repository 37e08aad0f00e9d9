import { type SQL, sql } from 'drizzle-orm';
import type { Db, Tx } from '@/db/client';
import { allOf, type Condition, conditionsOf, needsEntry, ROW_CONDITIONS } from '@/db/filter-sql';
import { positionFor, xBits, yBits } from '@/db/position-sql';
import type { Filter } from '@/lib/contract/filter';
import { FACETS, type Facet, type FacetValue } from '@/lib/contract/triage';
import type { Role } from '@/lib/dead-letter/vocabulary';

const FACET_VALUES = 50;
const SIGNATURES = 100;
const VERSION_MARKS = 200;

export interface Fold extends Record<string, unknown> {
  as_of: string;
  total: number;
  depth: number;
  facets: Record<Facet, { values: FacetValue[]; distinct: number }>;
  not_mapped: { reason: string; count: number }[];
  extent: [number, number, number, number] | null;
  /** Seconds since 1970 of the first and last failure, whatever `since` and `until` say; null when nothing matches. */
  first_s: number | null;
  last_s: number | null;
  versions: { code_version: string; first_seen: string }[];
  /** The largest first. `example_at` is the newest failure that the role may read. */
  signatures: { signature: string; count: number; failed_at: string; example_at: string }[];
}

/**
 * All counts of the triage answer from one scan of the narrow table: rows are grouped by (combo, state, has a position)
 * once, and the groups, some thousands, are folded to each facet without its own condition.
 */
export async function foldTriage(db: Db | Tx, filter: Filter, role: Role): Promise<Fold> {
  const conditions = conditionsOf(filter, role);
  const on_row = (field: Condition) => (ROW_CONDITIONS as readonly string[]).includes(field);
  const is_time = (field: Condition) => field === 'since' || field === 'until';
  const on_time = [...conditions].filter(([field]) => is_time(field));
  const on_rows = [...conditions].filter(([field]) => on_row(field) && !is_time(field));
  const on_group = [...conditions].filter(([field]) => !on_row(field));

  const { rows } = await db.execute<Fold>(sql`
    with r as (
      select s.combo, s.state, s.failed_at, ${positionFor(role)} as cell, ${allOf(on_time.map(([, condition]) => condition))} as then
      from dlq.state s ${needsEntry(filter) ? sql`join dlq.entry e on e.id = s.entry_id` : sql``}
      where ${allOf(on_rows.map(([, condition]) => condition))}
      -- keeps the planner from repeating these expressions in every aggregate
      offset 0
    ), g as materialized (
      select r.combo, r.state, r.cell is null as unplaced, count(*)::integer as any_n,
        (count(*) filter (where r.then))::integer as n,
        max(r.failed_at) filter (where r.then) as newest,
        min(r.failed_at) filter (where ${onTimeAxis(sql`r.failed_at`)}) as first_at,
        max(r.failed_at) filter (where ${onTimeAxis(sql`r.failed_at`)}) as last_at,
        min(${xBits(sql`r.cell`)}) filter (where r.then) as west, max(${xBits(sql`r.cell`)}) filter (where r.then) as east,
        min(${yBits(sql`r.cell`)}) filter (where r.then) as north, max(${yBits(sql`r.cell`)}) filter (where r.then) as south
      from r group by 1, 2, 3
    ), f as materialized (
      select s.*, c.queue, c.failure_class, c.error_class, c.task_name, c.src_crs, c.srid::text as srid, c.code_version, c.signature,
        c.crs_verdict, c.unmappable_reason, c.sensitive,
        ${allOf(on_group.map(([, condition]) => condition))} as ok
        ${sql.join(
          on_group.map(([field, condition]) => sql`, ${condition} as ${okColumn(field)}`),
          sql``,
        )}
      from g s join dlq.combo c on c.id = s.combo
    )
    select dlq.iso(now()) as as_of,
      ${on_rows.length === 0 ? sql`(select coalesce(sum(any_n), 0)::integer from g where state <> 'resolved')` : sql`(select count(*)::integer from dlq.state where state <> 'resolved')`} as depth,
      (select coalesce(sum(n), 0)::integer from f where ok) as total,
      jsonb_build_object(${sql.join(
        FACETS.map((facet) => sql`${sql.raw(`'${facet}'`)}, ${facetValues(facet, on_group)}`),
        sql`, `,
      )}) as facets,
      (select coalesce(jsonb_agg(jsonb_build_object('reason', reason, 'count', n) order by n desc, reason), '[]')
        from (select coalesce(unmappable_reason, case when sensitive then 'sensitive' else 'not_diagnosed' end) as reason, sum(n) as n
          from f where ok and unplaced and n > 0 group by 1) x) as not_mapped,
      (select jsonb_build_array(dlq.cell_lon(min(west)), dlq.cell_lat(max(south)), dlq.cell_lon(max(east)), dlq.cell_lat(min(north)))
        from f where ok and n > 0 having min(west) is not null) as extent,
      (select floor(date_part('epoch', min(first_at)))::float8 from f where ok) as first_s,
      (select floor(date_part('epoch', max(last_at)))::float8 from f where ok) as last_s,
      (select coalesce(jsonb_agg(jsonb_build_object('code_version', code_version, 'first_seen', dlq.iso(at)) order by at, code_version), '[]')
        from (select code_version, min(first_at) as at from f where ok and code_version is not null and first_at is not null
          group by 1 order by 2 desc limit ${VERSION_MARKS}::integer) x) as versions,
      (select coalesce(jsonb_agg(jsonb_build_object('signature', signature, 'count', n, 'failed_at', newest, 'example_at', example_at)
          order by n desc, signature), '[]')
        from (select signature, sum(n) as n, max(newest) as newest, ${exampleAt(role)} as example_at
          from f where ok and n > 0 group by 1 order by 2 desc, 1 limit ${SIGNATURES}::integer) x) as signatures`);
  const fold = rows[0];
  if (!fold) throw new Error('a select without from always has a row');
  return fold;
}

/**
 * A moment that a working clock can have said. One broken clock (1970, 9999) would press everything else into one bin, so
 * it is counted everywhere but on the time axis.
 */
export function onTimeAxis(at: SQL): SQL {
  return sql`(${at} >= '2000-01-01T00:00:00Z'::timestamptz and ${at} < now() + interval '1 day')`;
}

const okColumn = (field: Condition): SQL => sql.raw(`ok_${field}`);

function facetValues(facet: Facet, on_group: readonly [Condition, SQL][]): SQL {
  const others = on_group.filter(([field]) => field !== facet).map(([field]) => okColumn(field));
  return sql`(
    select jsonb_build_object('distinct', coalesce(max(kinds), 0),
      'values', coalesce(jsonb_agg(jsonb_build_object('value', value, 'count', n) order by n desc, value), '[]'))
    from (select value, n, count(*) over () as kinds
      from (select ${sql.raw(facet)} as value, sum(n) as n from f where n > 0 and ${allOf(others)} group by 1) v
      order by n desc, value limit ${FACET_VALUES}::integer) w)`;
}

function exampleAt(role: Role): SQL {
  return role === 'viewer' ? sql`coalesce(max(newest) filter (where not sensitive), max(newest))` : sql`max(newest)`;
}
