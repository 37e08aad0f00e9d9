import { type SQL, sql } from 'drizzle-orm';
import type { Db, Tx } from '@/db/client';
import { matching, needsEntry } from '@/db/filter-sql';
import { positionFor } from '@/db/position-sql';
import type { Filter } from '@/lib/contract/filter';
import type { ListItem, Sort } from '@/lib/contract/triage';
import type { Role } from '@/lib/dead-letter/vocabulary';

/** Where a page begins: behind the row with this value and id. Times are microseconds since 1970 or an infinity. */
export interface After {
  value: string;
  id: string;
}

export interface PageRow extends Omit<ListItem, 'position'>, Record<string, unknown> {
  lon: number | null;
  lat: number | null;
  sensitive: boolean;
  /** The sort value as `After` takes it. */
  after: string;
}

interface PageInput {
  filter: Filter;
  role: Role;
  sort: Sort;
  dir: 'asc' | 'desc';
  limit: number;
  after: After | null;
}

/** One page by keyset: found and ordered over the narrow table, then only its rows are read from the wide one. */
export async function listPage(db: Db | Tx, { filter, role, sort, dir, limit, after }: PageInput): Promise<PageRow[]> {
  const { value, cast, read, wide } = SORT_VALUES[sort];
  const way = dir === 'desc' ? sql`desc` : sql`asc`;
  const behind = after
    ? sql`and (${value}, s.entry_id) ${dir === 'desc' ? sql`<` : sql`>`} (${cast(after.value)}, ${after.id}::bigint)`
    : sql``;
  const { rows } = await db.execute<PageRow>(sql`
    with page as materialized (
      select s.entry_id, ${value} as value, ${positionFor(role)} as shown
      from dlq.state s join dlq.combo c on c.id = s.combo
      ${wide || needsEntry(filter) ? sql`join dlq.entry e on e.id = s.entry_id` : sql``}
      where ${matching(filter, role)} ${behind}
      order by ${value} ${way}, s.entry_id ${way} limit ${limit}::integer
    )
    select ${ITEM_COLUMNS}, dlq.cell_lon(p.shown) as lon, dlq.cell_lat(p.shown) as lat, ${read(sql`p.value`)} as after
    from page p join dlq.state s on s.entry_id = p.entry_id join dlq.combo c on c.id = s.combo join dlq.entry e on e.id = p.entry_id
    ${ITEM_DIAGNOSIS}
    order by p.value ${way}, p.entry_id ${way}`);
  return rows;
}

/** The columns of a list item over `s`, `c`, `e` and ITEM_DIAGNOSIS, without the position. */
export const ITEM_COLUMNS = sql`e.id::text as id, e.work_key,
      case when e.idempotency_key <> e.work_key then left(e.idempotency_key, 2000) end as given_key, e.task_name, e.queue, e.failure_class, e.error_class, e.error_type,
      left(e.error_text, 300) as error_text, e.signature, s.state, s.resolution, e.attempts, s.reopen_count, s.redrive_attempts,
      s.max_redrives, c.src_crs, c.srid, e.code_version, c.crs_verdict, c.unmappable_reason, s.tile_distance_m,
      coalesce(d.fault_codes, '{}') as fault_codes, coalesce(d.fault_count, 0) as fault_count,
      dlq.iso(e.first_seen) as first_seen, dlq.iso(s.failed_at) as failed_at, s.version::text as version, e.sensitive`;

/** Joins what a list item needs of the diagnosis: nothing of one that waits to be made again. */
export const ITEM_DIAGNOSIS = sql`left join dlq.diagnosis d on d.entry_id = s.entry_id and d.diagnosed_at is not null`;

interface SortValue {
  value: SQL;
  /** From the cursor's text to the column's type. Total: no text of the cursor's form is an error. */
  cast: (text: string) => SQL;
  /** From the column to the cursor's text. */
  read: (value: SQL) => SQL;
  /** Whether the value lies in dlq.entry. */
  wide: boolean;
}

const SORT_VALUES: Record<Sort, SortValue> = {
  failed_at: { value: sql`s.failed_at`, cast: instantOf, read: microsecondsOf, wide: false },
  first_seen: { value: sql`e.first_seen`, cast: instantOf, read: microsecondsOf, wide: true },
  attempts: {
    value: sql`e.attempts`,
    cast: (text) => sql`${text}::bigint`,
    read: (value) => sql`${value}::text`,
    wide: true,
  },
};

/** Exact, and independent of the session's DateStyle and of calendars (BC, five-digit years). */
function microsecondsOf(at: SQL): SQL {
  return sql`case when isfinite(${at}) then trunc(extract(epoch from ${at}) * 1000000)::text else ${at}::text end`;
}

function instantOf(text: string): SQL {
  if (text === 'infinity' || text === '-infinity') return sql`${text}::timestamptz`;
  const microseconds = BigInt(text);
  const days = microseconds / 86_400_000_000n;
  // days apart from the rest: an interval's own microseconds end 292,471 years from 1970, before timestamps do
  return sql`(('1970-01-01'::timestamp + ${`${days}`}::float8 * interval '1 day'
    + ${`${microseconds % 86_400_000_000n}`}::float8 * interval '1 microsecond') at time zone 'UTC')`;
}
