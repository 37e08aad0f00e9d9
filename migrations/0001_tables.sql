-- The tables. Evidence (entry, payload, occurrence) is append-only or changed only by a capture; `state` is the only home of
-- what changes, and narrow, because a bulk change of a million rows takes 10 s on it and 40 s on a wide row.
create extension if not exists postgis;
create schema dlq;

-- One row per work_key. Ids are drawn for new keys only, so that they stay dense.
create sequence dlq.entry_id;
create table dlq.entry (
  id bigint primary key default nextval('dlq.entry_id'),
  queue text not null,
  work_key text not null unique,
  idempotency_key text not null,
  task_name text not null,
  task_id text,
  geom_hash text,
  payload_hash bytea not null,
  code_version text,
  run_id text,
  failure_class text not null,
  failure_class_claimed text,
  classified_by text not null,
  error_class text not null check (error_class in ('transient', 'fatal')),
  error_type text,
  error_text text,
  traceback text,
  signature text not null,
  attempts integer not null default 0,
  first_seen timestamptz not null,
  failed_at timestamptz not null,
  sensitive boolean not null default false,
  via text not null
);
alter sequence dlq.entry_id owned by dlq.entry.id;
create index entry_task on dlq.entry (task_name, code_version);
create index entry_signature on dlq.entry (signature);
create index entry_work_key_prefix on dlq.entry (work_key text_pattern_ops);

-- Every version of an entry's payload. `geom` has no typmod, no check and no index: it holds exactly what others refuse.
create table dlq.payload (
  entry_id bigint not null references dlq.entry,
  payload_hash bytea not null,
  geom geometry,
  geom_wkb bytea,
  geom_given text,
  geom_format text check (geom_format in ('wkb', 'wkt', 'geojson')),
  geom_error text,
  srid integer,
  src_crs text,
  tile_z smallint,
  tile_x integer,
  tile_y integer,
  tile_matrix_set text,
  source_uris text[],
  source_window jsonb,
  nodata text,
  target_crs text,
  params jsonb,
  params_raw bytea,
  payload_ref text,
  edited_by text,
  captured_at timestamptz not null default clock_timestamp(),
  primary key (entry_id, payload_hash)
);
alter table dlq.payload alter column geom_wkb set storage external;

create table dlq.occurrence (
  capture_id uuid primary key,
  entry_id bigint not null references dlq.entry,
  payload_hash bytea not null,
  failed_at timestamptz not null,
  received_at timestamptz not null default clock_timestamp(),
  via text not null,
  attempt_id uuid,
  code_version text,
  run_id text,
  failure_class text not null,
  error_class text not null,
  error_type text,
  error_text text,
  traceback text,
  signature text not null
);
create index occurrence_entry on dlq.occurrence (entry_id, received_at);

-- The dictionary of distinct facet values; `key` is the hash of the whole row, since PostgreSQL 14 has no unique nulls not distinct.
create sequence dlq.combo_id as integer;
create table dlq.combo (
  id integer primary key default nextval('dlq.combo_id'),
  key bytea not null unique,
  queue text not null,
  failure_class text not null,
  error_class text not null,
  task_name text not null,
  src_crs text,
  srid integer,
  code_version text,
  signature text not null,
  crs_verdict text,
  unmappable_reason text,
  sensitive boolean not null
);
alter sequence dlq.combo_id owned by dlq.combo.id;

create table dlq.state (
  entry_id bigint primary key references dlq.entry,
  state text not null default 'open' check (state in ('open', 'redriving', 'redriven', 'in_doubt', 'quarantined', 'resolved')),
  resolution text check (resolution in ('fixed', 'abandoned', 'duplicate', 'superseded', 'withdrawn')),
  resolution_reason text,
  redriven_at timestamptz,
  resolved_at timestamptz,
  redrive_attempts integer not null default 0,
  redrive_total integer not null default 0,
  max_redrives integer not null default 3,
  reopen_count integer not null default 0,
  attempt_id uuid,
  lease_until timestamptz,
  cancel_requested boolean not null default false,
  worker_deaths integer not null default 0,
  version bigint not null default 1,
  combo integer not null references dlq.combo,
  failed_at timestamptz not null,
  cell bigint,
  public_cell bigint,
  tile_distance_m double precision,
  check (redrive_attempts >= 0 and redrive_total >= redrive_attempts),
  check ((state = 'resolved') = (resolved_at is not null)),
  check ((state = 'resolved') = (resolution is not null)),
  check ((state in ('redriving', 'redriven', 'in_doubt')) = (attempt_id is not null)),
  check ((state = 'redriving') = (lease_until is not null))
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);
create index state_failed_at on dlq.state (failed_at desc, entry_id desc);
create index state_cell on dlq.state (cell) where cell is not null;
create index state_lease on dlq.state (lease_until) where lease_until is not null;
create index state_unconfirmed on dlq.state (redriven_at) where state = 'redriven';

-- The feed: read as "visible now and not in my last snapshot"; revision order and transaction order differ.
create table dlq.change (
  rev bigint generated always as identity primary key,
  xid xid8 not null default pg_current_xact_id(),
  at timestamptz not null default clock_timestamp(),
  entry_ids bigint[] not null
);
create index change_xid on dlq.change (xid);
create table dlq.feed_reader (
  name text primary key,
  snapshot pg_snapshot not null,
  read_at timestamptz not null default clock_timestamp()
);

create table dlq.event (
  id bigint generated always as identity primary key,
  entry_id bigint not null references dlq.entry,
  at timestamptz not null default clock_timestamp(),
  from_state text,
  to_state text not null,
  resolution text,
  actor text not null,
  reason text,
  attempt_id uuid,
  operation_id bigint,
  version bigint not null
);
create index event_entry on dlq.event (entry_id, id);

-- Replaceable. A row with diagnosed_at null waits for the worker.
create table dlq.diagnosis (
  entry_id bigint primary key references dlq.entry,
  payload_hash bytea,
  valid boolean,
  faults jsonb not null default '[]',
  crs_verdict text,
  crs_reason text,
  also text[] not null default '{}',
  candidates jsonb not null default '[]',
  suggestion jsonb,
  footprint geometry(geometry, 4326),
  outline geometry(geometry, 3857),
  unmappable_reason text,
  reproject_error text,
  tries smallint not null default 0,
  diagnosed_at timestamptz
);
create index diagnosis_waiting on dlq.diagnosis (entry_id) where diagnosed_at is null;
create index diagnosis_footprint on dlq.diagnosis using gist (footprint);
create index diagnosis_outline on dlq.diagnosis using gist (outline);

create table dlq.operation (
  id bigint generated always as identity primary key,
  preview_id uuid not null unique,
  action text not null,
  state text not null check (state in ('previewed', 'running', 'paused', 'cancelled', 'finished')),
  filter jsonb,
  actor text not null,
  reason text,
  rate_per_s double precision,
  canary integer,
  eligible integer not null default 0,
  frozen_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  paused_because text,
  worker text,
  lease_until timestamptz
);
create index operation_running on dlq.operation (id) where state = 'running';

-- One row per member of the frozen set, the skipped ones too. What became of a sent item is read from its redrive.
create table dlq.operation_item (
  operation_id bigint not null references dlq.operation,
  entry_id bigint not null references dlq.entry,
  version bigint not null,
  outcome text not null default 'waiting' check (outcome in ('waiting', 'sent', 'applied', 'skipped', 'cancelled')),
  skip_reason text,
  detail text,
  attempt_id uuid,
  done_at timestamptz,
  primary key (operation_id, entry_id)
);
create index operation_item_waiting on dlq.operation_item (operation_id, entry_id) where outcome = 'waiting';

-- One try to send an entry back; its id is the attempt_id. At most one is alive per entry.
create table dlq.redrive (
  id uuid primary key,
  entry_id bigint not null references dlq.entry,
  operation_id bigint references dlq.operation,
  payload_hash bytea not null,
  idempotency_key text not null,
  target text not null,
  worker text not null,
  claimed_at timestamptz not null default clock_timestamp(),
  sent_at timestamptz,
  acked_at timestamptz,
  ended_at timestamptz,
  outcome text check (outcome in ('succeeded', 'refailed', 'rejected', 'unknown', 'cancelled', 'never_sent')),
  answer text,
  check ((ended_at is null) = (outcome is null)),
  check (not (outcome = 'never_sent' and sent_at is not null))
);
create unique index redrive_one_alive on dlq.redrive (entry_id) where ended_at is null;
create index redrive_entry on dlq.redrive (entry_id, claimed_at);
create index redrive_operation on dlq.redrive (operation_id) where operation_id is not null;

create table dlq.task (
  task_name text primary key,
  code_versions text[] not null,
  params_schema jsonb not null,
  target text,
  idempotent boolean not null default false,
  owner text,
  updated_at timestamptz not null default clock_timestamp(),
  updated_by text not null
);
