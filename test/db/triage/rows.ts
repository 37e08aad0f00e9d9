import type pg from 'pg';
import type { FailureClass, Role, STATES } from '@/lib/dead-letter/vocabulary';

/** An entry as the triage queries see it; written to the tables directly, so that every combination can be there. */
export interface Row {
  id: string;
  work_key: string;
  /** The key that was given, where the work key was derived from it. */
  given_key?: string;
  queue: string;
  failure_class: FailureClass | string;
  error_class: 'transient' | 'fatal';
  task_name: string;
  src_crs: string | null;
  srid: number | null;
  code_version: string | null;
  signature: string;
  crs_verdict: string | null;
  unmappable_reason: string | null;
  sensitive: boolean;
  state: (typeof STATES)[number];
  reopen_count: number;
  attempts: number;
  failed_at: string;
  first_seen: string;
  error_text: string | null;
  at: [lon: number, lat: number] | null;
  run_id: string | null;
  /** Codes of the diagnosis, one fault each, in their order. */
  faults: string[];
  traceback?: string | null;
  source_uris?: string[] | null;
  /** JSON; a text here is a JSON text. */
  params?: unknown;
  /** Where jsonb cannot hold the params. */
  params_raw?: string | null;
  /** WKT in EPSG:4326 of an entry that was diagnosed. */
  footprint?: string | null;
  /** Whether the diagnosis found the geometry valid. */
  valid?: boolean | null;
}

export const blankRow = (id: number): Row => ({
  id: String(id),
  work_key: `key-${id}`,
  queue: 'default',
  failure_class: 'unknown',
  error_class: 'fatal',
  task_name: 'reproject_parcels',
  src_crs: 'EPSG:4326',
  srid: 4326,
  code_version: 'v1',
  signature: 'aaaa',
  crs_verdict: null,
  unmappable_reason: null,
  sensitive: false,
  state: 'open',
  reopen_count: 0,
  attempts: 1,
  failed_at: '2026-11-20T10:00:00.000000Z',
  first_seen: '2026-11-20T10:00:00.000000Z',
  error_text: 'something broke',
  at: [10, 50],
  run_id: null,
  faults: [],
});

/** Writes the rows; the cells are made by the database's own function. */
export async function insertRows(pool: pg.Pool, rows: readonly Row[]): Promise<void> {
  await pool.query(
    `with r as (select * from jsonb_to_recordset($1::jsonb) as r(id bigint, work_key text, given_key text, queue text, failure_class text,
        error_class text, task_name text, src_crs text, srid integer, code_version text, signature text, crs_verdict text,
        unmappable_reason text, sensitive boolean, state text, reopen_count integer, attempts integer, failed_at timestamptz,
        first_seen timestamptz, error_text text, at jsonb, run_id text, faults jsonb, traceback text, source_uris text[], params jsonb, params_raw text,
        footprint text, valid boolean)),
      p as (insert into dlq.payload (entry_id, payload_hash, srid, src_crs, source_uris, params, params_raw)
        select id, sha256(convert_to(work_key, 'UTF8')), srid, src_crs, source_uris, params, convert_to(params_raw, 'UTF8') from r),
      o as (insert into dlq.occurrence (capture_id, entry_id, payload_hash, failed_at, via, code_version, failure_class, error_class, error_text, signature)
        select gen_random_uuid(), id, sha256(convert_to(work_key, 'UTF8')), failed_at, 'test', code_version, failure_class, error_class, error_text, signature from r),
      d as (insert into dlq.diagnosis (entry_id, unmappable_reason, payload_hash, diagnosed_at, footprint, valid, faults)
        select id, unmappable_reason, sha256(convert_to(work_key, 'UTF8')), case when faults <> '[]' or footprint is not null then failed_at end,
          ST_GeomFromText(footprint, 4326), valid,
          (select coalesce(jsonb_agg(jsonb_build_object('code', code, 'path', null, 'at', null, 'message', code, 'severity', 'fails') order by n), '[]')
            from jsonb_array_elements_text(faults) with ordinality f(code, n)) from r),
      e as (insert into dlq.entry (id, queue, work_key, idempotency_key, task_name, payload_hash, code_version, failure_class, classified_by,
          error_class, error_type, error_text, traceback, signature, attempts, first_seen, failed_at, sensitive, via, run_id)
        select id, queue, work_key, coalesce(given_key, work_key), task_name, sha256(convert_to(work_key, 'UTF8')), code_version, failure_class, 'writer',
          error_class, 'Error', error_text, traceback, signature, attempts, first_seen, failed_at, sensitive, 'test', run_id from r returning id)
    insert into dlq.state (entry_id, state, resolution, resolved_at, attempt_id, lease_until, reopen_count, combo, failed_at, cell, public_cell)
      select r.id, r.state, case when r.state = 'resolved' then 'fixed' end, case when r.state = 'resolved' then now() end,
        case when r.state in ('redriving', 'redriven', 'in_doubt') then gen_random_uuid() end,
        case when r.state = 'redriving' then now() + interval '1 hour' end, r.reopen_count,
        dlq.combo_of(r.queue, r.failure_class, r.error_class, r.task_name, r.src_crs, r.srid, r.code_version, r.signature,
          r.crs_verdict, r.unmappable_reason, r.sensitive),
        r.failed_at, c.cell, dlq.public_cell_of(c.cell, r.sensitive)
      from r join e on e.id = r.id
      cross join lateral (select case when r.at <> 'null'::jsonb then dlq.cell_of((r.at ->> 0)::float8, (r.at ->> 1)::float8) end as cell) c`,
    [JSON.stringify(rows)],
  );
}

/** The centre of each row's cell as the role sees it, by id. */
export async function shownPositions(pool: pg.Pool, role: Role): Promise<Map<string, [number, number]>> {
  const { rows } = await pool.query<{ id: string; lon: number; lat: number }>(
    `select entry_id::text as id, dlq.cell_lon(p) as lon, dlq.cell_lat(p) as lat
     from (select entry_id, dlq.position_for($1::text, cell, public_cell) as p from dlq.state) x where p is not null`,
    [role],
  );
  return new Map(rows.map(({ id, lon, lat }) => [id, [lon, lat]]));
}
