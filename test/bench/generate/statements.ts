/** Rows `first` to `last`; all numbers are whole. */
export interface Chunk {
  first: number;
  last: number;
}

/**
 * A reproducible uniform number in [0, 1) of row `id`: from a hash, so that chunks can be made in any order and side by
 * side. The setting bench.seed is the seed; `k` tells the draws of one row apart.
 */
const u = (id: string, k: number): string =>
  `((hashint8extended(${id}, current_setting('bench.seed')::bigint + ${k}) & 4503599627370495)::float8 / 4503599627370496)`;

/** Falls on small numbers more often, as tasks and classes do. */
const skewed = (id: string, k: number, power: number, count: number): string =>
  `floor(power(${u(id, k)}, ${power}) * ${count})::integer`;

const CLASS = `(array['invalid_geometry', 'crs_mismatch', 'upstream_timeout', 'oom', 'unknown'])[1 + class_no]`;
const CLAIM = `(array['EPSG:4326', 'EPSG:3857', 'EPSG:25832', 'EPSG:2263', 'EPSG:26917', 'urn:ogc:def:crs:EPSG::4326', 'OGC:CRS84', 'ESRI:102100',
    'EPSG:27700', 'EPSG:2154', 'EPSG:28992', 'EPSG:3035', 'WGS 84', '+proj=longlat +datum=WGS84 +no_defs', 'EPSG:900913', 'LOCAL_CS["site grid"]'])[1 + claim_no]`;

const DAYS = `extract(epoch from d.failed_at - timestamptz '2026-09-01') / 86400`;
/** One of thirteen, a week each; with the setting bench.commits one of so many git commits, each in use for a day. */
const CODE_VERSION = `case when current_setting('bench.commits')::integer = 0 then 'v' || (1 + floor(${DAYS} / 6.93)::integer)
    else md5('commit ' || floor((${DAYS} + ${u('d.id', 30)}) / 91 * current_setting('bench.commits')::integer)) end`;
const VERDICT = `case when class_no = 1 then (array['wrong_crs', 'wrong_zone', 'axis_swapped', 'metres_as_degrees', 'wrong_unit'])[1 + kind % 5]
    when reason in ('no_crs', 'unknown_crs', 'non_finite') then (array['no_claim', 'unknown_crs', 'non_finite'])[1 + kind % 3] else 'agrees' end`;

/** Seven failures in ten belong to an incident: one task, one error, one place, at most two days. */
export const incidents = (count: number): string => `
  create unlogged table bench_incident as
  select i as id, ${skewed('i', 1, 1.8, 30)} as task_no, ${skewed('i', 2, 2, 16)} as claim_no, ${skewed('i', 3, 2, 5)} as class_no,
    floor(${u('i', 4)} * 80)::integer as kind, ${u('i', 5)} * 360 - 180 as lon, asin(${u('i', 6)} * 1.7 - 0.75) * 57.29578 as lat,
    0.02 + 3 * power(${u('i', 7)}, 3) as spread, ${u('i', 8)} * 88 as day, 0.05 + 2 * power(${u('i', 9)}, 2) as days, ${u('i', 10)} as unplaced
  from generate_series(0, ${count - 1}) i`;

const stage = ({ first, last }: Chunk): string => `
  create temp table staged on commit drop as
  select d.*, ${CLASS} as failure_class, 'task_' || task_no as task_name, ${CLAIM} as src_crs,
    ${CODE_VERSION} as code_version, ${VERDICT} as crs_verdict,
    lpad(to_hex(class_no * 1000000 + task_no * 1000 + kind), 16, '0') as signature,
    case when reason is null then dlq.cell_of(d.lon, d.lat) end as cell,
    case when reason is null then ST_MakeEnvelope(lon - 0.001, lat - 0.001, lon + 0.001, lat + 0.001, 4326) end as box
  from (
    select g as id, coalesce(i.task_no, ${skewed('g', 11, 1.8, 30)}) as task_no, coalesce(i.claim_no, ${skewed('g', 12, 2, 16)}) as claim_no,
      coalesce(i.class_no, ${skewed('g', 13, 2, 5)}) as class_no, coalesce(i.kind, ${skewed('g', 14, 3, 400)}) as kind,
      timestamptz '2026-09-01' + (coalesce(i.day + i.days * ${u('g', 15)}, 90 * ${u('g', 15)})) * interval '1 day' as failed_at,
      greatest(-180, least(179.99, coalesce(i.lon + i.spread * (${u('g', 16)} + ${u('g', 17)} + ${u('g', 18)} - 1.5), ${u('g', 16)} * 360 - 180))) as lon,
      greatest(-84, least(84, coalesce(i.lat + i.spread * (${u('g', 19)} + ${u('g', 20)} + ${u('g', 21)} - 1.5), ${u('g', 19)} * 140 - 60))) as lat,
      case when coalesce(i.unplaced, ${u('g', 22)}) < 0.1
        then (array['no_crs', 'unknown_crs', 'non_finite', 'unreadable', 'no_geometry', 'outside_projection'])[1 + ${skewed('g', 23, 1.5, 6)}] end as reason,
      ${u('g', 24)} as fate, ${u('g', 25)} < 0.01 as sensitive, 1 + (${u('g', 26)} < 0.2)::integer * ${skewed('g', 27, 3, 5)} as attempts
    from generate_series(${first}::bigint, ${last}::bigint) g
    left join bench_incident i on i.id = case when ${u('g', 28)} < 0.7 then floor(${u('g', 29)} * (select count(*) from bench_incident))::integer end) d`;

const COMBOS = `
  create temp table combos on commit drop as
  select c.*, dlq.combo_of('default', failure_class, dlq.error_class_of(failure_class), task_name, src_crs, 4326, code_version, signature, crs_verdict, reason, sensitive) as id
  from (select distinct task_name, failure_class, src_crs, code_version, signature, crs_verdict, reason, sensitive from staged
    order by task_name, failure_class, src_crs, code_version, signature, crs_verdict, reason, sensitive) c`;

const FILL = [
  `insert into dlq.entry (id, queue, work_key, idempotency_key, task_name, payload_hash, code_version, failure_class, classified_by, error_class,
     error_type, error_text, traceback, signature, attempts, first_seen, failed_at, sensitive, via)
   select id, 'default', 'unit/' || id, 'unit/' || id, task_name, int8send(id), code_version, failure_class, 'writer', dlq.error_class_of(failure_class),
     'Error', 'could not process unit ' || id || ' of ' || task_name || ' at ' || round(lon::numeric, 5) || ' ' || round(lat::numeric, 5),
     'Error: could not process unit ' || id || repeat(E'\\n    at step (/srv/jobs/' || task_name || '.mjs:' || kind || ':7)', 8),
     signature, attempts, failed_at - (attempts - 1) * interval '10 minutes', failed_at, sensitive, 'generated' from staged`,
  `insert into dlq.payload (entry_id, payload_hash, geom, geom_wkb, geom_format, srid, src_crs, tile_z, tile_x, tile_y, params)
   select id, int8send(id), box, ST_AsEWKB(box), case when box is not null then 'wkb' end, 4326, src_crs, 14, floor((lon + 180) / 360 * 16384)::integer, id % 16384,
     jsonb_build_object('resampling', (array['nearest', 'bilinear', 'cubic'])[1 + id % 3], 'level', id % 23) from staged`,
  `insert into dlq.occurrence (capture_id, entry_id, payload_hash, failed_at, via, code_version, failure_class, error_class, signature)
   select uuid_in(overlay(overlay(md5(id || ':' || n) placing '4' from 13) placing '8' from 17)::cstring), id, int8send(id),
     failed_at - (n - 1) * interval '10 minutes', 'generated', code_version, failure_class, dlq.error_class_of(failure_class), signature
   from staged, generate_series(1, attempts) n`,
  `insert into dlq.diagnosis (entry_id, payload_hash, valid, crs_verdict, unmappable_reason, diagnosed_at, footprint, outline)
   select id, int8send(id), class_no <> 0, crs_verdict, reason, failed_at + interval '1 minute', box, ST_Transform(box, 3857) from staged`,
  `insert into dlq.state (entry_id, state, resolution, resolved_at, reopen_count, combo, failed_at, cell, public_cell, tile_distance_m)
   select s.id, case when fate < 0.62 then 'open' when fate < 0.64 then 'quarantined' else 'resolved' end,
     case when fate >= 0.9 then 'abandoned' when fate >= 0.64 then 'fixed' end, case when fate >= 0.64 then s.failed_at + interval '1 day' end,
     (fate between 0.5 and 0.53)::integer, c.id, s.failed_at, s.cell, dlq.public_cell_of(s.cell, s.sensitive),
     case when s.cell is not null then round((power(${u('s.id', 31)}, 6) * 9000000)::numeric, 1) end
   from staged s join combos c on (c.task_name, c.failure_class, c.src_crs, c.code_version, c.signature, c.crs_verdict, c.sensitive)
     = (s.task_name, s.failure_class, s.src_crs, s.code_version, s.signature, s.crs_verdict, s.sensitive) and c.reason is not distinct from s.reason`,
  `insert into dlq.event (entry_id, from_state, to_state, resolution, actor, reason, version, at)
   select s.id, null, t.state, t.resolution, 'capture:generated', 'captured', 1, s.failed_at from staged s join dlq.state t on t.entry_id = s.id`,
];

/** One transaction each; what is temporary ends with it. */
export const fill = (chunk: Chunk): string[] => [stage(chunk), COMBOS, ...FILL];
