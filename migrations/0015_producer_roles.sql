-- Producers that may write and nothing else, and what the seeds' tables still lacked.

-- What a role's captures are filed under. A setting (dlq.queue, dlq.task_name) can be changed by any session; this cannot:
-- session_user is the role that signed in.
create table dlq.producer_role (
  role_name text primary key,
  queue text,
  task_name text,
  made_at timestamptz not null default clock_timestamp(),
  made_by text not null default session_user
);
comment on table dlq.producer_role is 'Queue and task name that a role''s SQL captures have whatever its session sets.';

-- The queue of a capture by SQL: the role's, else the one that its door gives, else the session's setting.
create function dlq.queue_of(given text) returns text language sql stable as $$
  select coalesce((select r.queue from dlq.producer_role r where r.role_name = session_user), given, nullif(current_setting('dlq.queue', true), ''))
$$;
create function dlq.task_name_of(given text) returns text language sql stable as $$
  select coalesce((select r.task_name from dlq.producer_role r where r.role_name = session_user), nullif(current_setting('dlq.task_name', true), ''), given)
$$;

-- An SRID that PostGIS clamps, or that was given beside refused bytes, left by dlq_compat.st_setsrid.
create function dlq.take_refused_srid() returns integer language plpgsql as $$
declare
  given text := coalesce(current_setting('dlq.srid', true), '');
begin
  perform set_config('dlq.srid', '', true);
  return nullif(given, '')::integer;
end $$;

create or replace function dlq.from_geotask_dlq() returns trigger language plpgsql security definer set search_path = dlq, public, pg_temp as $$
begin
  perform set_config('dlq.proposed_task', new.task_name, true);
  perform dlq.capture(jsonb_build_object('via', 'geotask_dlq', 'work_key', new.work_key, 'task_name', new.task_name, 'src_crs', new.src_crs,
      'tile_z', new.tile_z, 'tile_x', new.tile_x, 'tile_y', new.tile_y, 'params', new.params, 'failure_class', new.failure_class,
      'error_text', new.error_text, 'traceback', new.traceback, 'failed_at', new.failed_at,
      'srid', coalesce(dlq.take_refused_srid(), nullif(ST_SRID(new.geom), 0)),
      'code_version', nullif(current_setting('dlq.code_version', true), ''), 'queue', dlq.queue_of(null)),
    case when new.geom is null then dlq.take_refused_bytes() end, new.geom);
  return new;
exception
  when serialization_failure or deadlock_detected then raise;
  when others then
    raise warning 'dead letter % was not captured: %', new.work_key, sqlerrm;
    return new;
end $$;

create or replace function dlq.from_failed_geotasks() returns trigger language plpgsql security definer set search_path = dlq, public, pg_temp as $$
begin
  perform dlq.capture(jsonb_build_object('via', 'failed_geotasks', 'work_key', new.task_id || ':' || new.geom_hash,
      'task_name', dlq.task_name_of(coalesce(tg_argv[0], tg_table_name)),
      'task_id', new.task_id, 'geom_hash', new.geom_hash, 'src_crs', 'EPSG:' || new.epsg, 'params', new.payload, 'error_class', new.error_class,
      'error_text', new.error, 'failed_at', new.last_seen, 'srid', coalesce(dlq.take_refused_srid(), nullif(ST_SRID(new.geom), 0)),
      'code_version', nullif(current_setting('dlq.code_version', true), ''), 'queue', dlq.queue_of(null)),
    case when new.geom is null then dlq.take_refused_bytes() end, new.geom);
  return new;
exception
  when serialization_failure or deadlock_detected then raise;
  when others then
    raise warning 'dead letter % was not captured: %', new.task_id, sqlerrm;
    return new;
end $$;

-- Another task's failure under this key is not this row's: the upsert counts it here, but the row stays as resolved as its entry.
create or replace function dlq.reopen_geotask_dlq() returns trigger language plpgsql as $$
begin
  if coalesce(nullif(current_setting('dlq.proposed_task', true), ''), old.task_name) = old.task_name then
    new.resolved_at := null;
  end if;
  return new;
end $$;

-- The time of a mark is the team's where it can be true: not before the failure and not to come, which would hide the next one.
-- A mark on an entry in flight changes nothing, and says so: its redrive decides, and its outcome is written over the mark.
drop function dlq.mark_by_sql(text, text, text, text);
create function dlq.mark_by_sql(task text, key text, wanted text, why text, at timestamptz default null) returns void
language plpgsql security definer set search_path = dlq, public, pg_temp as $$
declare
  reason_before text := coalesce(current_setting('dlq.reason', true), '');
  busy text;
begin
  perform set_config('dlq.reason', why, true);
  update dlq.state s set
      state = wanted,
      resolution = case when wanted = 'resolved' then 'fixed' end,
      resolution_reason = case when wanted = 'resolved' then why end,
      resolved_at = case when wanted = 'resolved' then case when at between e.failed_at and clock_timestamp() then at else clock_timestamp() end end,
      redrive_attempts = case when wanted = 'open' then 0 else s.redrive_attempts end,
      reopen_count = s.reopen_count + case when wanted = 'open' and s.state = 'resolved' then 1 else 0 end,
      version = s.version + 1
    from dlq.entry e
    where e.idempotency_key = key and e.task_name = task and s.entry_id = e.id and s.state <> wanted
      and (s.state, wanted) in (('open', 'resolved'), ('quarantined', 'resolved'), ('open', 'quarantined'), ('resolved', 'open'), ('quarantined', 'open'));
  perform set_config('dlq.reason', reason_before, true);
  select s.state into busy from dlq.state s join dlq.entry e on e.id = s.entry_id
    where e.idempotency_key = key and e.task_name = task and s.state in ('redriving', 'redriven', 'in_doubt');
  if found then
    raise warning 'dead letter % is % just now: its redrive decides, and writes its outcome over this mark', key, busy;
  end if;
end $$;

-- The row names no task: it is that of the entry into which its failures went.
create or replace function dlq.marked_failed_geotasks() returns trigger language plpgsql security definer set search_path = dlq, public, pg_temp as $$
begin
  perform dlq.mark_by_sql(e.task_name, e.idempotency_key,
    case new.status when 'pending' then 'open' when 'quarantined' then 'quarantined' else 'resolved' end, 'by sql: status of failed_geotasks')
  from dlq.entry e where e.idempotency_key = new.task_id || ':' || new.geom_hash
    and exists (select 1 from dlq.occurrence o where o.entry_id = e.id and o.via = 'failed_geotasks');
  return null;
end $$;

create or replace function dlq.marked_geotask_dlq() returns trigger language plpgsql security definer set search_path = dlq, public, pg_temp as $$
begin
  perform dlq.mark_by_sql(new.task_name, new.work_key, case when new.resolved_at is null then 'open' else 'resolved' end,
    'by sql: resolved_at of geotask_dlq', new.resolved_at);
  return null;
end $$;

create function dlq.redriven_geotask_dlq() returns trigger language plpgsql security definer set search_path = dlq, public, pg_temp as $$
begin
  perform dlq.redriven_by_sql(new.task_name, new.work_key, new.redriven_at, 'by sql: redriven_at of geotask_dlq');
  return null;
end $$;
create trigger redriven after update of redriven_at on public.geotask_dlq for each row
  when (old.redriven_at is distinct from new.redriven_at and coalesce(current_setting('dlq.write_back', true), '') <> 'on')
  execute function dlq.redriven_geotask_dlq();

-- Only dlq_compat first on the path calls it. Also where there is no geometry: the number beside refused bytes is evidence.
create function dlq_compat.st_setsrid(g public.geometry, srid integer) returns public.geometry language plpgsql volatile
set client_min_messages = warning as $$
begin
  if srid is not null and (g is null or srid not between 0 and 998999) then perform set_config('dlq.srid', srid::text, true); end if;
  return public.ST_SetSRID(g, srid);
end $$;
create or replace function dlq_compat.st_geomfromwkb(wkb bytea) returns public.geometry language plpgsql volatile strict
set client_min_messages = warning as $$
begin
  return encode(wkb, 'hex')::public.geometry;
exception when others then
  if coalesce(current_setting('dlq.bytes', true), '') <> '' then
    raise exception 'two unparsable geometries in one statement: send them one by one';
  end if;
  perform set_config('dlq.bytes', 'x' || encode(wkb, 'hex'), true);
  return null;
end $$;
comment on schema dlq_compat is 'First on a producer''s search_path, it lets the documents'' statements carry what PostGIS refuses or alters.';

-- The statements that make or correct a producer's role, in order: it may run the two documents' statements and nothing more.
-- Their DO UPDATE reads the row's key and attempts, and EXCLUDED.error_text counts as reading error_text: these columns of others
-- can be read and these counters be changed by any producer of the table. Whom that is too much gets a table of their own, attached.
-- `verifier` is what PostgreSQL keeps of a password (SCRAM), so that no password reaches a log; null leaves it as it is.
create function dlq.producer_statements(role_name text, login boolean, verifier text, queue text, task_name text, compat boolean)
returns text[] language plpgsql stable as $$
declare
  done text[] := '{}';
begin
  if not exists (select 1 from pg_roles r where r.rolname = role_name) then done := done || format('create role %I', role_name); end if;
  done := done
    || format('alter role %I %s nosuperuser nocreatedb nocreaterole noreplication nobypassrls%s', role_name,
      case when login then 'login' else 'nologin' end, case when verifier is not null then format(' password %L', verifier) end);
  -- whoever may create in public could put functions there that the triggers would find
  if has_schema_privilege('public', 'public', 'create') then done := done || 'revoke create on schema public from public'::text; end if;
  return done
    || format('grant usage on schema public to %I', role_name)
    || format('revoke all on public.geotask_dlq, public.failed_geotasks from %I', role_name)
    || format('grant insert (work_key, task_name, geom, src_crs, tile_z, tile_x, tile_y, params, failure_class, error_text, traceback, failed_at), '
      || 'update (attempts, error_text, failed_at), select (work_key, attempts, error_text) on public.geotask_dlq to %I', role_name)
    || format('grant insert (task_id, geom, epsg, payload, error, error_class, geom_hash), '
      || 'update (attempts, last_seen, error), select (task_id, geom_hash, attempts, error) on public.failed_geotasks to %I', role_name)
    || case when compat then array[format('grant usage on schema dlq_compat to %I', role_name), format('alter role %I set search_path = dlq_compat, public', role_name)]
      else array[format('revoke all on schema dlq_compat from %I', role_name), format('alter role %I reset search_path', role_name)] end
    || format('insert into dlq.producer_role (role_name, queue, task_name) values (%L, %L, %L) on conflict (role_name) do update set queue = excluded.queue, '
      || 'task_name = excluded.task_name, made_at = clock_timestamp(), made_by = session_user', role_name, queue, task_name);
end $$;

comment on table public.geotask_dlq is 'The first document''s table, the team''s own. A trigger hands every proposed row to dlq.capture; marks follow the entry both ways.';
comment on column public.geotask_dlq.work_key is 'entry.work_key and idempotency_key.';
comment on column public.geotask_dlq.task_name is 'entry.task_name: another task''s failure under this key is an entry of its own.';
comment on column public.geotask_dlq.geom is 'payload.geom and geom_wkb (its EWKB); the newest failure''s, while this column keeps the first one''s.';
comment on column public.geotask_dlq.src_crs is 'payload.src_crs, what the source claimed.';
comment on column public.geotask_dlq.params is 'payload.params.';
comment on column public.geotask_dlq.failure_class is 'entry.failure_class, any word; empty: the classifier''s.';
comment on column public.geotask_dlq.attempts is 'Counted by the statement; entry.attempts counts this task''s failures alone.';
comment on column public.geotask_dlq.failed_at is 'occurrence.failed_at; a now() is taken as the moment of the insert.';
comment on column public.geotask_dlq.redriven_at is 'Written by the worker from state.redriven_at; an update of yours is kept and recorded.';
comment on column public.geotask_dlq.resolved_at is 'Written by the worker from state.resolved_at; setting it resolves the entry as fixed, clearing it reopens it.';
comment on table public.failed_geotasks is 'The second document''s table, the team''s own. A trigger hands every proposed row to dlq.capture; status follows the entry both ways.';
comment on column public.failed_geotasks.task_id is 'entry.task_id; the work key is task_id:geom_hash.';
comment on column public.failed_geotasks.epsg is 'payload.src_crs as EPSG:n, also where PostGIS clamps the number on geom.';
comment on column public.failed_geotasks.payload is 'payload.params.';
comment on column public.failed_geotasks.error is 'entry.error_text; entry.failure_class is classified from it.';
comment on column public.failed_geotasks.error_class is 'entry.error_class: transient | fatal; another word: that of the failure class.';
comment on column public.failed_geotasks.status is 'pending: open. replayed: redriving, redriven, in doubt, resolved as fixed, duplicate or superseded. quarantined: quarantined, resolved as abandoned or withdrawn.';
