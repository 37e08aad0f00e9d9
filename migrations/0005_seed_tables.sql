-- The two tables that the seed documents define stay the team's own; triggers hand every proposed row to dlq.capture().
-- geometry without typmod and nullable, so that a bow-tie, a 3-D feature and a raster task all fit.
create table public.geotask_dlq (
  work_key text primary key,
  task_name text not null,
  geom geometry,
  src_crs text,
  tile_z smallint,
  tile_x integer,
  tile_y integer,
  params jsonb not null,
  failure_class text not null,
  error_text text,
  traceback text,
  attempts integer not null default 1,
  failed_at timestamptz not null,
  redriven_at timestamptz,
  resolved_at timestamptz
);
create index geotask_dlq_open on public.geotask_dlq (failure_class, failed_at) where resolved_at is null;

create table public.failed_geotasks (
  id bigint generated always as identity primary key,
  task_id text not null,
  geom geometry,
  epsg integer not null,
  payload jsonb not null,
  error text not null,
  error_class text not null default 'fatal',
  attempts integer not null default 1,
  geom_hash text not null,
  first_seen timestamptz not null default now(),
  last_seen timestamptz not null default now(),
  status text not null default 'pending',
  constraint uq_failed_geotasks_task_geom unique (task_id, geom_hash)
);
create index ix_failed_geotasks_triage on public.failed_geotasks (status, error_class, first_seen desc);
create index ix_failed_geotasks_geom on public.failed_geotasks using gist (geom);

-- Bytes that PostGIS refused inside this statement, left by dlq_compat.st_geomfromwkb.
create function dlq.take_refused_bytes() returns bytea language plpgsql as $$
declare
  hex text := coalesce(current_setting('dlq.bytes', true), '');
begin
  if hex = '' then return null; end if;
  perform set_config('dlq.bytes', '', true);
  return decode(substr(hex, 2), 'hex');
end $$;

-- A capture that fails must not fail the team's own statement: their row stays, and a warning names the key. Serialisation
-- failures and deadlocks are the transaction's own and are passed on.
create function dlq.from_geotask_dlq() returns trigger language plpgsql security definer set search_path = dlq, public, pg_temp as $$
begin
  perform dlq.capture(jsonb_build_object('via', 'geotask_dlq', 'work_key', new.work_key, 'task_name', new.task_name, 'src_crs', new.src_crs,
      'tile_z', new.tile_z, 'tile_x', new.tile_x, 'tile_y', new.tile_y, 'params', new.params, 'failure_class', new.failure_class,
      'error_text', new.error_text, 'traceback', new.traceback, 'failed_at', new.failed_at, 'srid', nullif(ST_SRID(new.geom), 0),
      'code_version', nullif(current_setting('dlq.code_version', true), ''), 'queue', nullif(current_setting('dlq.queue', true), '')),
    case when new.geom is null then dlq.take_refused_bytes() end, new.geom);
  return new;
exception
  when serialization_failure or deadlock_detected then raise;
  when others then
    raise warning 'dead letter % was not captured: %', new.work_key, sqlerrm;
    return new;
end $$;
create trigger to_dead_letters before insert on public.geotask_dlq for each row execute function dlq.from_geotask_dlq();

-- Its rows have no task name: the role's setting dlq.task_name, else the trigger's argument, else the table's name.
create function dlq.from_failed_geotasks() returns trigger language plpgsql security definer set search_path = dlq, public, pg_temp as $$
begin
  perform dlq.capture(jsonb_build_object('via', 'failed_geotasks', 'work_key', new.task_id || ':' || new.geom_hash,
      'task_name', coalesce(nullif(current_setting('dlq.task_name', true), ''), tg_argv[0], tg_table_name),
      'task_id', new.task_id, 'geom_hash', new.geom_hash, 'src_crs', 'EPSG:' || new.epsg, 'params', new.payload, 'error_class', new.error_class,
      'error_text', new.error, 'failed_at', new.last_seen, 'srid', nullif(ST_SRID(new.geom), 0),
      'code_version', nullif(current_setting('dlq.code_version', true), ''), 'queue', nullif(current_setting('dlq.queue', true), '')),
    case when new.geom is null then dlq.take_refused_bytes() end, new.geom);
  return new;
exception
  when serialization_failure or deadlock_detected then raise;
  when others then
    raise warning 'dead letter % was not captured: %', new.task_id, sqlerrm;
    return new;
end $$;
create trigger to_dead_letters before insert on public.failed_geotasks for each row execute function dlq.from_failed_geotasks();

-- A re-failure after a resolution reopens the team's own row too: fires inside the writer's DO UPDATE.
create function dlq.reopen_geotask_dlq() returns trigger language plpgsql as $$ begin new.resolved_at := null; return new; end $$;
create trigger reopen before update on public.geotask_dlq for each row
  when (new.attempts > old.attempts and old.resolved_at is not null) execute function dlq.reopen_geotask_dlq();
create function dlq.reopen_failed_geotasks() returns trigger language plpgsql as $$ begin new.status := 'pending'; return new; end $$;
create trigger reopen before update on public.failed_geotasks for each row
  when (new.attempts > old.attempts and old.status <> 'pending') execute function dlq.reopen_failed_geotasks();

-- The team's own UPDATE of its marks is a transition "by sql". An entry in flight is not touched: its redrive decides.
create function dlq.mark_by_sql(task text, key text, wanted text, why text) returns void
language plpgsql security definer set search_path = dlq, public, pg_temp as $$
declare
  reason_before text := coalesce(current_setting('dlq.reason', true), '');
begin
  perform set_config('dlq.reason', why, true);
  update dlq.state s set
      state = wanted,
      resolution = case when wanted = 'resolved' then 'fixed' end,
      resolution_reason = case when wanted = 'resolved' then why end,
      resolved_at = case when wanted = 'resolved' then clock_timestamp() end,
      redrive_attempts = case when wanted = 'open' then 0 else s.redrive_attempts end,
      reopen_count = s.reopen_count + case when wanted = 'open' and s.state = 'resolved' then 1 else 0 end,
      version = s.version + 1
    from dlq.entry e
    where e.idempotency_key = key and e.task_name = task and s.entry_id = e.id and s.state <> wanted
      and (s.state, wanted) in (('open', 'resolved'), ('quarantined', 'resolved'), ('open', 'quarantined'), ('resolved', 'open'), ('quarantined', 'open'));
  perform set_config('dlq.reason', reason_before, true);
end $$;
create index entry_idempotency_key on dlq.entry using hash (idempotency_key);

create function dlq.marked_geotask_dlq() returns trigger language plpgsql security definer set search_path = dlq, public, pg_temp as $$
begin
  perform dlq.mark_by_sql(new.task_name, new.work_key, case when new.resolved_at is null then 'open' else 'resolved' end,
    'by sql: resolved_at of geotask_dlq');
  return null;
end $$;
create trigger marked after update of resolved_at on public.geotask_dlq for each row
  when (old.resolved_at is distinct from new.resolved_at and new.attempts = old.attempts and coalesce(current_setting('dlq.write_back', true), '') <> 'on')
  execute function dlq.marked_geotask_dlq();
create function dlq.marked_failed_geotasks() returns trigger language plpgsql security definer set search_path = dlq, public, pg_temp as $$
begin
  perform dlq.mark_by_sql(e.task_name, e.idempotency_key,
    case new.status when 'pending' then 'open' when 'quarantined' then 'quarantined' else 'resolved' end, 'by sql: status of failed_geotasks')
  from dlq.entry e where e.idempotency_key = new.task_id || ':' || new.geom_hash and e.via = 'failed_geotasks';
  return null;
end $$;
create trigger marked after update of status on public.failed_geotasks for each row
  when (old.status is distinct from new.status and new.attempts = old.attempts and coalesce(current_setting('dlq.write_back', true), '') <> 'on')
  execute function dlq.marked_failed_geotasks();

-- Optional: a producer whose search_path begins with dlq_compat keeps its statement as it is, and ST_GeomFromWKB no longer
-- raises before any trigger: unclosed and short rings pass, unparsable bytes travel to the trigger and become geom_wkb.
--   alter role producer set search_path = dlq_compat, public;  grant usage on schema dlq_compat to producer;
create schema dlq_compat;
create function dlq_compat.st_geomfromwkb(wkb bytea) returns geometry language plpgsql volatile strict
set client_min_messages = warning as $$
begin
  return encode(wkb, 'hex')::geometry;
exception when others then
  if coalesce(current_setting('dlq.bytes', true), '') <> '' then
    raise exception 'two unparsable geometries in one statement: send them one by one';
  end if;
  perform set_config('dlq.bytes', 'x' || encode(wkb, 'hex'), true);
  return null;
end $$;
