import { type SQL, sql } from 'drizzle-orm';
import type { Run } from '@/lib/contract/run';
import type { Db, Tx } from '../client';
import type { TileKind } from './add-run-tiles';

export type RunRow = Run & Record<string, unknown>;

/** Units beyond those that succeeded or failed; below zero where more did than were expected. */
const GAP: SQL = sql`(r.expected - coalesce(r.succeeded, 0) - coalesce(r.dead_lettered, d.dead_letters))`;

/** Of `dlq.run r`, beside RUN_FAILURES. Where more is expected than the manifest lists, what it does not list can be missing too. */
export const RUN_COLUMNS: SQL = sql`r.queue, r.run_id, r.task_name, r.code_version, r.status, dlq.iso(r.started_at) as started_at,
  dlq.iso(r.finished_at) as finished_at,
  coalesce(r.duration_ms, case when r.finished_at is not null
    then greatest(0, extract(epoch from r.finished_at - r.started_at) * 1000)::double precision end) as duration_ms,
  r.expected::double precision, nullif(r.expected_tiles, 0)::double precision as tiles, r.succeeded::double precision,
  r.dead_lettered::double precision, d.dead_letters::double precision,
  case when r.expected is not null then greatest(0,
    case when r.names_tiles then r.expected_tiles - r.hit_tiles - f.failed_tiles end,
    case when not r.names_tiles or r.expected > r.expected_tiles then ${GAP} end) end::double precision as missing,
  case when r.names_tiles then r.succeeded_tiles - r.hit_tiles else greatest(0, -${GAP}) end::double precision as unexpected,
  dlq.iso(r.updated_at) as updated_at, r.reported_by`;

/**
 * Beside a row r of dlq.run: how many entries have occurrences that carry its id (a run's name alone can be that of
 * other queues and tasks too), and how many tiles of its manifest failed and did not succeed. A tile is looked for in
 * the few rows that may hold it, so that a list of runs reads no whole manifest.
 */
export const RUN_FAILURES: SQL = sql`lateral (
    select count(*) as dead_letters
    from (select distinct o.entry_id from dlq.occurrence o where o.run_id = r.run_id) o
    join dlq.entry e on e.id = o.entry_id
    where e.queue = r.queue and e.task_name = r.task_name) d, lateral (
    select count(*) as failed_tiles
    from (${failedTiles(sql`r`)}) t (k)
    where r.names_tiles and ${isListed('expected')} and not ${isListed('succeeded')}) f`;

/** The tiles of a run's dead letters. @param run with queue, run_id and task_name. */
export function failedTiles(run: SQL): SQL {
  return sql`
        select distinct dlq.tile_key(p.tile_z, p.tile_x, p.tile_y)
        from (select distinct o.entry_id, o.payload_hash from dlq.occurrence o where o.run_id = ${run}.run_id) o
        join dlq.entry e on e.id = o.entry_id and e.queue = ${run}.queue and e.task_name = ${run}.task_name
        join dlq.payload p on p.entry_id = o.entry_id and p.payload_hash = o.payload_hash
        where p.tile_z between 0 and 29 and p.tile_x >= 0 and p.tile_y >= 0
          and p.tile_x < 1::bigint << p.tile_z and p.tile_y < 1::bigint << p.tile_z`;
}

function isListed(kind: TileKind): SQL {
  return sql`exists (select from dlq.run_tiles l where l.run = r.id and l.kind = ${kind}::text
      and t.k between l.first_tile and l.last_tile and t.k = any(l.tiles))`;
}

export interface RunName {
  run_id: string;
  queue: string | null;
  task_name: string | null;
}

/** The runs of this id, at most a hundred; queue and task narrow them down. Locks nothing. */
export async function getRunRows(db: Db | Tx, { run_id, queue, task_name }: RunName): Promise<RunRow[]> {
  const { rows } = await db.execute<RunRow>(sql`
    select ${RUN_COLUMNS} from dlq.run r, ${RUN_FAILURES}
    where r.run_id = ${run_id}::text and (${queue}::text is null or r.queue = ${queue}::text)
      and (${task_name}::text is null or r.task_name = ${task_name}::text)
    order by r.queue, r.task_name
    limit 100`);
  return rows;
}
