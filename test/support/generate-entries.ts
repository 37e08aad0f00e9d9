import type pg from 'pg';

/**
 * Fills an empty, migrated database with `count` entries of a plausible queue: eight tasks, twelve code versions over 90
 * days, some hundred signatures, places in thirty clusters with square outlines, one in twelve not mappable.
 * Deterministic by `seed` (−1 … 1). Takes about 20 s for 200,000.
 */
export async function generateEntries(pool: pg.Pool, count: number, seed = 0.42): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query("set statement_timeout = '10min'");
    await client.query('select setseed($1::float8)', [seed]);
    await client.query(STAGE, [count]);
    for (const statement of FILL) await client.query(statement);
    await client.query('drop table pg_temp.staged');
    for (const table of ['entry', 'payload', 'state', 'combo', 'diagnosis'])
      await client.query(`vacuum analyze dlq.${table}`);
  } finally {
    await client.query('reset statement_timeout');
    client.release();
  }
}

const STAGE = `
  create temp table staged as
  select d.*, (array['invalid_geometry', 'crs_mismatch', 'upstream_timeout', 'oom', 'unknown'])[1 + class_no] as failure_class,
    'v' || (1 + (extract(epoch from d.failed_at - timestamptz '2026-09-01') / 86400 / 7.6)::integer) as code_version,
    lpad(to_hex(class_no * 1000 + d.kind), 16, '0') as signature,
    case when d.lon is not null then dlq.cell_of(d.lon, d.lat) end as cell
  from (
    select f.*, 'task_' || (kind * 7 % 8) as task_name,
      case when f.pick < 0.8 then (array['EPSG:4326', 'EPSG:3857', 'EPSG:2263', 'EPSG:26917', null])[1 + kind % 5] else 'EPSG:4326' end as src_crs
    from (
      select g as id, floor(power(random(), 2) * 5)::integer as class_no, floor(power(random(), 4) * 80)::integer as kind, random() as pick,
        timestamptz '2026-09-01' + random() * interval '90 days' as failed_at,
        case when random() < 0.92 then -120 + 8 * (g % 30) + (random() + random() - 1) * 3 end as lon,
        35 + (g % 7) * 3 + (random() + random() - 1) * 3 as lat,
        random() < 0.1 as resolved, (random() < 0.05)::integer as reopen_count, random() < 0.01 as sensitive
      from generate_series(1, $1::integer) g) f) d`;

const FILL = [
  'create temp table combos as select distinct task_name, failure_class, src_crs, code_version, signature, (lon is null) as unplaced, sensitive, null::integer as id from staged',
  `update combos set id = dlq.combo_of('default', failure_class, dlq.error_class_of(failure_class), task_name, src_crs,
     nullif(regexp_replace(src_crs, '\\D', '', 'g'), '')::integer, code_version, signature, null, case when unplaced then 'no_crs' end, sensitive)`,
  `insert into dlq.entry (id, queue, work_key, idempotency_key, task_name, payload_hash, code_version, failure_class, classified_by, error_class,
     error_type, error_text, traceback, signature, attempts, first_seen, failed_at, sensitive, via)
   select id, 'default', 'unit/' || id, 'unit/' || id, task_name, '\\x00', code_version, failure_class, 'writer', dlq.error_class_of(failure_class),
     'Error', 'could not process unit ' || id || ' of ' || task_name || ' at ' || coalesce(lon::text, 'nowhere'), repeat('  at frame ' || id || E'\\n', 20),
     signature, 1 + (id % 3), failed_at - interval '1 hour', failed_at, sensitive, 'generated' from staged`,
  `insert into dlq.payload (entry_id, payload_hash, srid, src_crs) select id, '\\x00', 4326, src_crs from staged`,
  `insert into dlq.diagnosis (entry_id, payload_hash, valid, unmappable_reason, diagnosed_at, footprint, outline)
   select id, '\\x00', true, case when lon is null then 'no_crs' end, now(), f.box, ST_Transform(f.box, 3857)
   from staged cross join lateral (select case when lon is not null then ST_MakeEnvelope(lon - 0.001, lat - 0.001, lon + 0.001, lat + 0.001, 4326) end as box) f`,
  `insert into dlq.state (entry_id, state, resolution, resolved_at, reopen_count, combo, failed_at, cell, public_cell)
   select s.id, case when resolved then 'resolved' else 'open' end, case when resolved then 'fixed' end, case when resolved then s.failed_at end,
     reopen_count, c.id, s.failed_at, s.cell, dlq.public_cell_of(s.cell, s.sensitive)
   from staged s join combos c on (c.task_name, c.failure_class, c.code_version, c.signature, c.unplaced, c.sensitive)
     = (s.task_name, s.failure_class, s.code_version, s.signature, s.lon is null, s.sensitive) and c.src_crs is not distinct from s.src_crs`,
  'drop table combos',
];
