/** Tables as teams have them, none of them as the documents write them, each with rows from before. */
export const TEAM_TABLES = `
  create schema gis;
  create schema "Old Pipeline";

  -- the first document's shape under another name, with a typmod; attempts counted, some resolved, one failed again unseen
  create table gis.dead_parcels (
    work_key text primary key, task_name text not null, geom geometry(geometry, 25832), src_crs text, params jsonb not null,
    failure_class text not null, error_text text, traceback text, attempts integer not null default 1, failed_at timestamptz not null,
    redriven_at timestamptz, resolved_at timestamptz
  );
  insert into gis.dead_parcels
    select 'parcel-' || i, case when i % 2 = 0 then 'reproject' else 'clip' end, ST_SetSRID(ST_MakePoint(500000 + i, 5500000 + i), 25832), 'EPSG:25832',
      jsonb_build_object('i', i), case when i % 3 = 0 then 'oom' else 'unknown' end, 'failed ' || i, null, 1 + i % 4, '2026-11-01T00:00:00Z'::timestamptz + i * interval '1 minute',
      case when i % 5 = 0 then '2026-11-15T00:00:00Z'::timestamptz end, case when i % 10 = 0 then '2026-11-20T00:00:00Z'::timestamptz end
    from generate_series(1, 200) i;
  -- resolved, then failed again: the document's upsert left resolved_at set
  update gis.dead_parcels set resolved_at = failed_at - interval '1 hour' where work_key = 'parcel-7';

  -- the second document's shape, partitioned, upper-case words, a key with a colon in it
  create table "Old Pipeline"."Failed Tasks" (
    id bigint generated always as identity, task_id text not null, geom geometry(geometry, 0) not null, epsg integer not null, payload jsonb not null,
    error text not null, error_class text not null default 'fatal', attempts integer not null default 1, geom_hash text not null,
    first_seen timestamptz not null default now(), last_seen timestamptz not null default now(), status text not null default 'pending',
    unique (task_id, geom_hash)
  ) partition by hash (task_id, geom_hash);
  create table "Old Pipeline"."Failed Tasks 0" partition of "Old Pipeline"."Failed Tasks" for values with (modulus 2, remainder 0);
  create table "Old Pipeline"."Failed Tasks 1" partition of "Old Pipeline"."Failed Tasks" for values with (modulus 2, remainder 1);
  insert into "Old Pipeline"."Failed Tasks" (task_id, geom, epsg, payload, error, attempts, geom_hash, first_seen, last_seen, status)
    select 'task:' || i, ST_SetSRID(ST_MakePoint(i, i), 4326), 4326, '{}', 'self-intersection at ' || i, i, md5(i::text),
      '2026-10-01T00:00:00Z', '2026-11-01T00:00:00Z', (array['pending', 'replayed', 'quarantined', 'parked'])[1 + i % 4]
    from generate_series(1, 40) i;

  -- hardly any of the documents' columns; the geometry is generated, names need quotes
  create table gis."Broken Tiles" (
    "Tile Id" integer primary key, lon double precision, lat double precision, "why ""it"" broke" text, note text, created_at timestamp not null,
    geom geometry(point, 4326) generated always as (ST_SetSRID(ST_MakePoint(lon, lat), 4326)) stored
  );
  insert into gis."Broken Tiles" ("Tile Id", lon, lat, "why ""it"" broke", note, created_at)
    select i, i, 50, 'connection timed out', 'n' || i, '2026-11-03 10:00' from generate_series(1, 20) i;

  -- one row a failure: the key repeats
  create table gis.failure_log (id serial primary key, work_key text, error text, geom bytea, failed_at timestamptz not null);
  insert into gis.failure_log (work_key, error, geom, failed_at)
    select 'unit-' || i % 5, 'failed', ST_AsBinary(ST_MakePoint(i, i)), '2026-11-01T00:00:00Z'::timestamptz + i * interval '1 minute' from generate_series(1, 30) i;
  insert into gis.failure_log (work_key, error, geom, failed_at) values (null, 'no key', '\\x0103', '2026-11-02T00:00:00Z');

  -- two zooms are none that a tile can have
  create table gis.wide_tiles (work_key text primary key, tile_z integer, tile_x integer, tile_y integer, error text, resolved_at timestamptz);
  insert into gis.wide_tiles select 'tile-' || i, case when i in (3, 8) then 99999 else i end, i, i, 'failed', null from generate_series(1, 10) i;

  create view gis.open_parcels as select * from gis.dead_parcels where resolved_at is null;
  create table gis.unwatched (id integer primary key, error text);
  create table gis.keyless (error text, geom geometry);
`;
