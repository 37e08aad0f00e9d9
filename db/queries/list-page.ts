import { type SQL, sql } from 'drizzle-orm';
import type { Db, Tx } from '@/db/client';
import { allOf, matching, needsEntry } from '@/db/filter-sql';
import { positionFor } from '@/db/position-sql';
import { type After, type Dir, type Part, SORT_SQL } from '@/db/sort-sql';
import type { Filter } from '@/lib/contract/filter';
import type { ListItem, Sort } from '@/lib/contract/triage';
import type { Role } from '@/lib/dead-letter/vocabulary';

export interface PageRow extends Omit<ListItem, 'position'>, Record<string, unknown> {
  lon: number | null;
  lat: number | null;
  sensitive: boolean;
  /** The sort value as `After` takes it. */
  after: string | null;
}

export interface PageInput {
  /** What is listed: what matches a filter, or the entries of a set that was found otherwise, none of them tested again. */
  of: { filter: Filter } | { ids: readonly string[] };
  role: Role;
  sort: Sort;
  dir: Dir;
  limit: number;
  after: After | null;
  /** The rows before `after` instead of those behind it; they come in the list's order all the same. */
  back?: boolean;
  /** Rows of an index that a walk may look at. */
  most_walked?: number;
}

/**
 * Rows of an index that a page looks at before it gives the walk up. A rare filter would walk the whole index: 92 s at ten
 * million entries, where reading the narrow table once takes one or two.
 */
const MOST_WALKED = 10_000;

/** One page by keyset: found and ordered over the narrow table, then only its rows are read from the wide one. */
export async function listPage(db: Db | Tx, input: PageInput): Promise<PageRow[]> {
  const { of, role, sort, dir, limit, after, back = false, most_walked = MOST_WALKED } = input;
  const inOrder = SORT_SQL[sort].parts(dir, role);
  const parts = back ? inOrder.toReversed() : inOrder;
  const first = after ? parts.findIndex((part) => part.holds(after.value)) : 0;
  const rows: PageRow[] = [];
  for (const [index, part] of parts.slice(first).entries()) {
    if (rows.length === limit) break;
    const stretch: Stretch = {
      part,
      role,
      sort,
      way: (dir === 'desc') === back ? 'asc' : 'desc',
      limit: limit - rows.length,
      after: index === 0 ? after : null,
      most_walked,
    };
    rows.push(...('ids' in of ? await readRows(db, stretch, amongIds(of.ids, stretch)) : await found(db, of, stretch)));
  }
  return back ? rows.reverse() : rows;
}

/**
 * The page by failed_at as a short walk of its index finds it, or null where that has to look at more than `most_walked`
 * rows: who knows another way then takes that.
 */
export async function walkPage(
  db: Db | Tx,
  filter: Filter,
  { role, dir, limit, after, back = false, most_walked }: Omit<PageInput, 'of' | 'sort'> & { most_walked: number },
): Promise<PageRow[] | null> {
  const [part] = SORT_SQL.failed_at.parts(dir, role);
  if (!part) throw new Error('an order has a part');
  const way = (dir === 'desc') === back ? 'asc' : 'desc';
  const stretch: Stretch = { part, role, sort: 'failed_at', way, limit, after, most_walked };
  const rows = await readRows(db, stretch, walk(filter, stretch));
  if (rows.length < limit) return null;
  return back ? rows.reverse() : rows;
}

/** What is asked of one part of the order. */
interface Stretch {
  part: Part;
  role: Role;
  sort: Sort;
  way: Dir;
  limit: number;
  after: After | null;
  most_walked: number;
}

async function found(db: Db | Tx, { filter }: { filter: Filter }, stretch: Stretch): Promise<PageRow[]> {
  // what lies in an area is looked up whole: once, and not for each row of a walk (of 100,000 entries over 30 s)
  if (filter.place || filter.polygon) return readRows(db, stretch, gather(filter, stretch));
  const walked = await readRows(db, stretch, walk(filter, stretch));
  if (walked.length === stretch.limit || (await walkEnds(db, stretch))) return walked;
  return readRows(db, stretch, gather(filter, stretch));
}

/** The ids and values of the page by walking the index of the order; each row is looked up by its key, whatever the filter. */
function walk(filter: Filter, stretch: Stretch): SQL {
  const { part, role, sort, way, limit } = stretch;
  const { value, wide } = SORT_SQL[sort];
  return sql`
    select o.id, m.value, m.shown from (${walkedRows(stretch)}) o
    cross join lateral (
      select ${value(role)} as value, ${positionFor(role)} as shown
      from dlq.state s join dlq.combo c on c.id = s.combo ${wide || needsEntry(filter) ? ENTRY : sql``}
      where s.entry_id = o.id and ${matching(filter, role)} ${part.belongs ? sql`and ${part.belongs}` : sql``}
      limit 1
    ) m
    order by ${part.value ? sql`o.key ${sql.raw(way)}, ` : sql``}o.id ${sql.raw(way)} limit ${limit}::integer`;
}

/** The next rows of the index, whether they match or not. */
function walkedRows(stretch: Stretch): SQL {
  const { part, way } = stretch;
  const [from, id] = part.table === 'state' ? [sql`dlq.state s`, sql`s.entry_id`] : [sql`dlq.entry e`, sql`e.id`];
  const order = part.value ? sql`${part.value} ${sql.raw(way)}, ${id} ${sql.raw(way)}` : sql`${id} ${sql.raw(way)}`;
  const conditions = [...(part.walked ? [part.walked] : []), ...behind(stretch, id)];
  return sql`select ${part.value ?? sql`0`} as key, ${id} as id from ${from} where ${allOf(conditions)}
    order by ${order} limit ${stretch.most_walked}::integer`;
}

/** Whether the index has no rows behind those that a walk looks at. */
async function walkEnds(db: Db | Tx, stretch: Stretch): Promise<boolean> {
  const { rows } = await db.execute<{ walked: number }>(
    sql`select count(*)::integer as walked from (${walkedRows(stretch)}) o`,
  );
  return (rows[0]?.walked ?? 0) < stretch.most_walked;
}

/** The same by reading the narrow table once and sorting what matches. */
function gather(filter: Filter, stretch: Stretch): SQL {
  const { role, sort } = stretch;
  const { value, wide } = SORT_SQL[sort];
  return sorted(
    stretch,
    sql`select s.entry_id as id, ${value(role)} as value, ${positionFor(role)} as shown
    from dlq.state s join dlq.combo c on c.id = s.combo ${wide || needsEntry(filter) ? ENTRY : sql``}
    where ${matching(filter, role)} and ${inStretch(stretch)}`,
  );
}

/** The same by sorting a set of entries. */
function amongIds(ids: readonly string[], stretch: Stretch): SQL {
  const { role, sort } = stretch;
  const { value, wide } = SORT_SQL[sort];
  return sorted(
    stretch,
    sql`select s.entry_id as id, ${value(role)} as value, ${positionFor(role)} as shown
    from unnest(${sql.param([...ids])}::bigint[]) as w (id) join dlq.state s on s.entry_id = w.id
    join dlq.combo c on c.id = s.combo ${wide ? ENTRY : sql``} where ${inStretch(stretch)}`,
  );
}

const ENTRY = sql`join dlq.entry e on e.id = s.entry_id`;

/** Materialized: else PostgreSQL would walk the index of the order after all, since it takes a limit for a promise. */
function sorted({ way, limit }: Stretch, rows: SQL): SQL {
  return sql`with found as materialized (${rows})
    select f.* from found f order by f.value ${sql.raw(way)}, f.id ${sql.raw(way)} limit ${limit}::integer`;
}

function inStretch(stretch: Stretch): SQL {
  const { walked, belongs } = stretch.part;
  return allOf([...(walked ? [walked] : []), ...(belongs ? [belongs] : []), ...behind(stretch, sql`s.entry_id`)]);
}

function behind({ part, sort, way, after }: Stretch, id: SQL): SQL[] {
  if (!after) return [];
  const than = way === 'desc' ? sql`<` : sql`>`;
  if (part.value === null) return [sql`${id} ${than} ${after.id}::bigint`];
  return [sql`(${part.value}, ${id}) ${than} (${SORT_SQL[sort].cast(after.value ?? '')}, ${after.id}::bigint)`];
}

async function readRows(db: Db | Tx, { sort, way }: Stretch, page: SQL): Promise<PageRow[]> {
  const { rows } = await db.execute<PageRow>(sql`
    with page as materialized (${page})
    select ${ITEM_COLUMNS}, dlq.cell_lon(p.shown) as lon, dlq.cell_lat(p.shown) as lat, ${SORT_SQL[sort].read(sql`p.value`)} as after
    from page p join dlq.state s on s.entry_id = p.id join dlq.combo c on c.id = s.combo join dlq.entry e on e.id = p.id
    ${ITEM_DIAGNOSIS}
    order by p.value ${sql.raw(way)}, p.id ${sql.raw(way)}`);
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
