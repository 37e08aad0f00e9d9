-- The run ledger: what a run of a task expected to do, and what it says it did. Entries say what failed; only this says
-- what never came.
create table dlq.run (
  id bigint generated always as identity primary key,
  queue text not null,
  run_id text not null,
  task_name text not null,
  code_version text,
  status text not null check (status in ('running', 'failed', 'finished')),
  given_started_at timestamptz,
  first_reported_at timestamptz not null default clock_timestamp(),
  started_at timestamptz generated always as (coalesce(given_started_at, first_reported_at)) stored,
  finished_at timestamptz,
  duration_ms double precision check (duration_ms >= 0),
  -- What reports under way said (the greatest), and what the report that ended the run said, which wins.
  progress_expected bigint check (progress_expected >= 0),
  progress_succeeded bigint check (progress_succeeded >= 0),
  progress_dead_lettered bigint check (progress_dead_lettered >= 0),
  final_expected bigint check (final_expected >= 0),
  final_succeeded bigint check (final_succeeded >= 0),
  final_dead_lettered bigint check (final_dead_lettered >= 0),
  -- Of the lists in run_tiles, each tile once; hit_tiles are in both.
  expected_tiles bigint not null default 0,
  succeeded_tiles bigint not null default 0,
  hit_tiles bigint not null default 0,
  expected bigint generated always as (coalesce(final_expected, greatest(progress_expected, nullif(expected_tiles, 0)))) stored,
  succeeded bigint generated always as (coalesce(final_succeeded, greatest(progress_succeeded, nullif(succeeded_tiles, 0)))) stored,
  dead_lettered bigint generated always as (coalesce(final_dead_lettered, progress_dead_lettered)) stored,
  -- Whether it is known of each tile of the manifest what became of it: no success was counted that was not named.
  names_tiles boolean generated always as (
    expected_tiles > 0 and coalesce(final_succeeded, progress_succeeded, 0) <= succeeded_tiles) stored,
  updated_at timestamptz not null default clock_timestamp(),
  reported_by text not null,
  unique (queue, run_id, task_name),
  check ((status = 'running') = (finished_at is null))
);
create index run_started on dlq.run (started_at desc, id desc);
create index run_run_id on dlq.run (run_id);

-- Tiles of a run, sorted, a thousand in a row: a million rows of their own would cost ten times the room. A tile is in
-- one row of a kind at most, so that their lengths add up. Rows of one piece do not overlap, those of two may.
create table dlq.run_tiles (
  id bigint generated always as identity primary key,
  run bigint not null references dlq.run,
  kind text not null check (kind in ('expected', 'succeeded')),
  piece integer not null,
  first_tile bigint not null,
  last_tile bigint not null,
  tiles bigint[] not null
);
create index run_tiles_run on dlq.run_tiles (run, kind, first_tile, last_tile);

-- z/x/y as one number that sorts by zoom, then column: 5 bits, 29 bits, 29 bits.
create function dlq.tile_key(z integer, x integer, y integer) returns bigint language sql immutable strict parallel safe as $$
  select (z::bigint << 58) | (x::bigint << 29) | y::bigint
$$;
create function dlq.tile_text(key bigint) returns text language sql immutable strict parallel safe as $$
  select (key >> 58) || '/' || ((key >> 29) & 536870911) || '/' || (key & 536870911)
$$;

-- Which failures a run had. Captures without a run are not in it.
create index occurrence_run on dlq.occurrence (run_id, entry_id) where run_id is not null;
