-- One implementation for every door: HTTP, the seeds' tables and the spool call these functions.

create function dlq.error_class_of(failure_class text) returns text language sql immutable parallel safe as $$
  select case when failure_class in ('upstream_timeout', 'oom') then 'transient' else 'fatal' end
$$;

-- The class of an error whose writer gave none, by the words of the field's libraries.
create function dlq.classify(error_type text, error_text text) returns text language sql immutable parallel safe as $$
  select case
    when e ~* '(out of memory|memoryerror|heap limit|heap out of|cannot allocate|std::bad_alloc|oomkilled|array buffer allocation|worker_out_of_memory|exit code 137)' then 'oom'
    when e ~* '(time[d]?[ -]?out|timeout|etimedout|econnreset|econnrefused|connection (refused|reset|aborted)|socket hang up|gateway time|service unavailable|too many requests|\m(502|503|504|429)\M|querycanceled|statement timeout)' then 'upstream_timeout'
    when e ~* '(topology|self-?intersection|invalid geometry|geosexception|non-?noded|linearring|ring .*closed|closed ring|not closed|unexpected eof|parseexception|wkb|nan coordinate|non-?finite)' then 'invalid_geometry'
    when e ~* '(\mcrs\M|\mepsg\M|\msrid\M|proj(error)?\M|projection|transform|latitude or longitude|spatial ref|out of bounds.*(coordinate|lat|lon)|axis order|tolerance condition)' then 'crs_mismatch'
    else 'unknown' end
  from (select coalesce(error_type, '') || ' ' || left(coalesce(error_text, ''), 4000) as e) x
$$;

-- The error's text without what differs from one failure to the next: ids, paths, coordinates, numbers.
create function dlq.normalise_error(error_text text) returns text language sql immutable parallel safe as $$
  select regexp_replace(regexp_replace(regexp_replace(regexp_replace(regexp_replace(regexp_replace(regexp_replace(
    left(coalesce(error_text, ''), 2000),
    '[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}', '<id>', 'g'),
    '[a-z][a-z0-9+.-]*://[^\s''")]+', '<uri>', 'g'),
    '(?:[A-Za-z]:)?(?:[/\\][\w.@%+~-]+){2,}', '<path>', 'g'),
    '[-+]?(?:\m\d+(?:\.\d+)?(?:[eE][-+]?\d+)?\M|\m(?:NaN|Infinity|inf)\M)', '#', 'g'),
    '\m(?=[0-9a-fA-F]*\d)[0-9a-fA-F]{12,}\M', '<hex>', 'g'),
    '#(?:[\s,;]+#)+', '#', 'g'),
    -- how many vertices a geometry in the text has is no part of the failure
    '\((?:\s*#\s*,?)+\)', '(#)', 'g')
$$;

-- The function and file of the project that raised: Python's last frame, JavaScript's first, libraries left out.
create function dlq.project_frame(traceback text) returns text language sql immutable parallel safe as $$
  select coalesce(
    (select m[2] || '@' || regexp_replace(m[1], '^.*[/\\]', '')
     from regexp_matches(t, 'File "([^"]+)", line \d+, in (\S+)', 'g') with ordinality r (m, n)
     where m[1] !~ '(site-packages|dist-packages|lib/python)' order by n desc limit 1),
    (select coalesce(m[1], '') || '@' || regexp_replace(m[2], '^.*[/\\]', '')
     from regexp_matches(t, '\n\s+at (?:async )?(?:([^\s()]+)(?: \[[^\]]*\])? \()?((?:file://)?[^\s():]+):\d+:\d+\)?', 'g') with ordinality r (m, n)
     where m[2] !~ '(node_modules|^node$|node:)' order by n limit 1),
    '')
  from (select right(coalesce(traceback, ''), 16000) as t) x
$$;

create function dlq.signature(error_type text, error_text text, traceback text) returns text language sql immutable parallel safe as $$
  select left(encode(sha256(convert_to(
    coalesce(error_type, '') || E'\x1f' || dlq.normalise_error(error_text) || E'\x1f' || dlq.project_frame(traceback), 'UTF8')), 'hex'), 16)
$$;

-- sha256 over the geometry bytes and the canonical rest; jsonb text is sorted, so equal payloads compare equal.
create function dlq.payload_hash(wkb bytea, geom_given text, rest jsonb, params_raw bytea) returns bytea language sql immutable parallel safe as $$
  select sha256(coalesce(wkb, '') || convert_to(coalesce(geom_given, '') || E'\x1f' || rest::text, 'UTF8') || coalesce(params_raw, ''))
$$;

-- Only the cast from hex text takes unclosed and short rings byte for byte; what even that refuses stays as bytes.
create function dlq.geometry_of(wkb bytea, out geom geometry, out error text) language plpgsql immutable parallel safe as $$
begin
  geom := encode(wkb, 'hex')::geometry;
exception when others then
  error := sqlerrm;
end $$;

create function dlq.jsonb_of(json_text text) returns jsonb language plpgsql immutable parallel safe as $$
begin
  return json_text::jsonb;
exception when others then
  return null;
end $$;

-- The id of a combination of facet values, made when it is new.
create function dlq.combo_of(queue text, failure_class text, error_class text, task_name text, src_crs text, srid integer,
  code_version text, signature text, crs_verdict text, unmappable_reason text, sensitive boolean) returns integer
language plpgsql security definer set search_path = dlq, public, pg_temp as $$
declare
  k bytea := sha256(convert_to(jsonb_build_array(queue, failure_class, error_class, task_name, src_crs, srid, code_version, signature,
    crs_verdict, unmappable_reason, sensitive)::text, 'UTF8'));
  found_id integer;
begin
  loop
    select c.id into found_id from dlq.combo c where c.key = k;
    if found then return found_id; end if;
    insert into dlq.combo as c (key, queue, failure_class, error_class, task_name, src_crs, srid, code_version, signature, crs_verdict, unmappable_reason, sensitive)
      values (k, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) on conflict (key) do nothing returning c.id into found_id;
    if found then return found_id; end if;
  end loop;
end $$;

create type dlq.captured as (entry_id bigint, work_key text, attempts integer, outcome text);

-- Writes one dead letter. `p` holds the fields of a capture by their names (params as JSON text in params_text where jsonb
-- cannot be trusted with it); the geometry comes as bytes (`wkb`) or, from SQL writers, as a geometry (`g`).
-- Locks the entry (not its key: events and redrives refer to it, and their writers hold the state first), then its diagnosis,
-- then its state: the order of everyone who locks more than one.
-- Outcome: created | repeated | reopened | duplicate (this capture_id was already counted).
create function dlq.capture(p jsonb, wkb bytea default null, g geometry default null) returns dlq.captured
language plpgsql security definer set search_path = dlq, public, pg_temp set client_min_messages = warning as $$
declare
  given_key text := coalesce(nullif(p ->> 'work_key', ''), gen_random_uuid()::text);
  key text := given_key;
  task text := coalesce(nullif(p ->> 'task_name', ''), 'unnamed');
  capture uuid := coalesce((p ->> 'capture_id')::uuid, gen_random_uuid());
  queue_name text := coalesce(nullif(p ->> 'queue', ''), 'default');
  channel text := coalesce(p ->> 'via', 'sql');
  version text := p ->> 'code_version';
  attempt uuid := (p ->> 'attempt_id')::uuid;
  failed timestamptz := coalesce((p ->> 'failed_at')::timestamptz, clock_timestamp());
  claimed_class text := nullif(p ->> 'failure_class', '');
  class text;
  wait_class text;
  err_type text := p ->> 'error_type';
  err text := p ->> 'error_text';
  trace text := p ->> 'traceback';
  sig text;
  bytes bytea := wkb;
  shape geometry := g;
  shape_error text := p ->> 'geom_error';
  number integer := (p ->> 'srid')::integer;
  claim text := p ->> 'src_crs';
  parameters jsonb := coalesce(nullif(p -> 'params', 'null'), dlq.jsonb_of(p ->> 'params_text'));
  raw_parameters bytea;
  hash bytea;
  secret boolean := coalesce((p ->> 'sensitive')::boolean, false);
  e dlq.entry;
  s dlq.state;
  d dlq.diagnosis;
  newest boolean;
  outcome text;
  fresh boolean := false;
  refailed boolean := false;
  reopens boolean := false;
  payload_is_new boolean;
  actor_before text := coalesce(current_setting('dlq.actor', true), '');
  reason_before text := coalesce(current_setting('dlq.reason', true), '');
begin
  -- a writer's now() is the start of its transaction, which can be long before the failure
  if failed = now() then failed := clock_timestamp(); end if;
  if p ? 'params_raw' then raw_parameters := decode(p ->> 'params_raw', 'base64');
  elsif parameters is null and p ? 'params_text' then raw_parameters := convert_to(p ->> 'params_text', 'UTF8'); end if;
  if shape is null and bytes is not null then
    select o.geom, coalesce(o.error, shape_error) into shape, shape_error from dlq.geometry_of(bytes) o;
  elsif shape is not null and bytes is null then
    bytes := ST_AsEWKB(shape);
  end if;
  number := coalesce(number, nullif(ST_SRID(shape), 0));
  if shape is not null and ST_SRID(shape) = 0 and number between 1 and 998999 then shape := ST_SetSRID(shape, number); end if;

  class := coalesce(claimed_class, dlq.classify(err_type, err));
  wait_class := coalesce(nullif(p ->> 'error_class', ''), dlq.error_class_of(class));
  if wait_class not in ('transient', 'fatal') then wait_class := dlq.error_class_of(class); end if;
  sig := dlq.signature(err_type, err, trace);
  hash := dlq.payload_hash(bytes, p ->> 'geom_given', jsonb_build_object('srid', number, 'src_crs', claim, 'tile_z', p -> 'tile_z', 'tile_x', p -> 'tile_x',
    'tile_y', p -> 'tile_y', 'tile_matrix_set', p -> 'tile_matrix_set', 'source_uris', p -> 'source_uris', 'source_window', p -> 'source_window',
    'nodata', p -> 'nodata', 'target_crs', p -> 'target_crs', 'params', parameters, 'payload_ref', p -> 'payload_ref'), raw_parameters);

  -- an index entry holds at most 2,704 bytes; the key itself stays whole in idempotency_key
  if octet_length(key) > 2000 then key := left(key, 400) || '…' || encode(sha256(convert_to(key, 'UTF8')), 'hex'); end if;
  for try in 1..2 loop
    select * into e from dlq.entry x where x.work_key = key for no key update;
    if not found then
      insert into dlq.entry (queue, work_key, idempotency_key, task_name, task_id, geom_hash, payload_hash, code_version, run_id, failure_class,
          failure_class_claimed, classified_by, error_class, error_type, error_text, traceback, signature, first_seen, failed_at, sensitive, via)
        values (queue_name, key, given_key, task, p ->> 'task_id', p ->> 'geom_hash', hash, version, p ->> 'run_id', class, claimed_class,
          case when claimed_class is null then 'classifier' else 'writer' end, wait_class, err_type, err, trace, sig, failed, failed, secret, channel)
        on conflict (work_key) do nothing returning * into e;
      fresh := found;
      if not fresh then select * into e from dlq.entry x where x.work_key = key for no key update; end if;
    end if;
    exit when e.task_name = task and e.idempotency_key = given_key;
    -- another task's unit: an entry of its own under a key derived from both, the same idempotency key
    key := encode(sha256(convert_to(task || E'\x1f' || given_key, 'UTF8')), 'hex') || ':' || left(given_key, 400);
  end loop;
  if e.task_name <> task or e.idempotency_key <> given_key then
    raise exception 'work_key % belongs to task %', key, e.task_name using errcode = 'unique_violation';
  end if;

  insert into dlq.occurrence (capture_id, entry_id, payload_hash, failed_at, via, attempt_id, code_version, run_id, failure_class, error_class,
      error_type, error_text, traceback, signature)
    values (capture, e.id, hash, failed, channel, attempt, version, p ->> 'run_id', class, wait_class, err_type, err, trace, sig)
    on conflict (capture_id) do nothing;
  if not found then
    return row(e.id, e.work_key, e.attempts, 'duplicate')::dlq.captured;
  end if;
  insert into dlq.payload (entry_id, payload_hash, geom, geom_wkb, geom_given, geom_format, geom_error, srid, src_crs, tile_z, tile_x, tile_y,
      tile_matrix_set, source_uris, source_window, nodata, target_crs, params, params_raw, payload_ref)
    values (e.id, hash, shape, bytes, p ->> 'geom_given', coalesce(p ->> 'geom_format', case when bytes is not null then 'wkb' end), shape_error,
      number, claim, (p ->> 'tile_z')::smallint, (p ->> 'tile_x')::integer, (p ->> 'tile_y')::integer, p ->> 'tile_matrix_set',
      case when jsonb_typeof(p -> 'source_uris') = 'array' then array(select jsonb_array_elements_text(p -> 'source_uris')) end,
      nullif(p -> 'source_window', 'null'), p ->> 'nodata', p ->> 'target_crs', parameters, raw_parameters, p ->> 'payload_ref')
    on conflict do nothing;
  payload_is_new := found;
  newest := fresh or failed >= e.failed_at;
  secret := secret or e.sensitive;

  update dlq.entry x set
    attempts = x.attempts + 1,
    first_seen = least(x.first_seen, failed),
    failed_at = greatest(x.failed_at, failed),
    sensitive = secret,
    payload_hash = case when newest then hash else x.payload_hash end,
    code_version = case when newest then version else x.code_version end,
    run_id = case when newest then p ->> 'run_id' else x.run_id end,
    task_id = coalesce(x.task_id, p ->> 'task_id'),
    geom_hash = case when newest then coalesce(p ->> 'geom_hash', x.geom_hash) else x.geom_hash end,
    -- a person's or a rule's classification stays until the failure itself is another one
    failure_class = case when newest and (x.classified_by in ('writer', 'classifier') or x.signature <> sig) then class else x.failure_class end,
    failure_class_claimed = case when newest then claimed_class else x.failure_class_claimed end,
    classified_by = case when newest and (x.classified_by in ('writer', 'classifier') or x.signature <> sig)
      then case when claimed_class is null then 'classifier' else 'writer' end else x.classified_by end,
    error_class = case when newest then wait_class else x.error_class end,
    error_type = case when newest then err_type else x.error_type end,
    error_text = case when newest then err else x.error_text end,
    traceback = case when newest then trace else x.traceback end,
    signature = case when newest then sig else x.signature end
  where x.id = e.id returning * into e;

  perform set_config('dlq.actor', 'capture:' || channel, true);
  if fresh then
    outcome := 'created';
    perform set_config('dlq.reason', 'captured', true);
    insert into dlq.diagnosis (entry_id) values (e.id);
    insert into dlq.state (entry_id, failed_at, combo) values (e.id, e.failed_at, dlq.combo_of(e.queue, e.failure_class, e.error_class, e.task_name,
      claim, number, e.code_version, e.signature, null, 'not_diagnosed', e.sensitive));
  else
    outcome := 'repeated';
    if payload_is_new and newest then
      update dlq.diagnosis x set diagnosed_at = null, tries = 0 where x.entry_id = e.id;
    end if;
    select * into s from dlq.state x where x.entry_id = e.id for update;
    select * into d from dlq.diagnosis x where x.entry_id = e.id;
    if s.state in ('redriving', 'redriven', 'in_doubt') then
      -- the failure of this redrive: it says so, or it came after the send without saying anything. One that is older than the
      -- send (a spool loaded late) only counts; a minute is left for clocks that differ
      refailed := case when attempt is null
        then exists (select 1 from dlq.redrive r where r.id = s.attempt_id and r.sent_at < failed + interval '1 minute')
        else attempt = s.attempt_id end;
    elsif s.state = 'resolved' then
      if s.resolution = 'abandoned' then
        -- the same payload under the same code only counts ("abandoned, still failing"), and so does the late word of a redrive
        -- that had ended: else the cap would be theatre
        reopens := failed > s.resolved_at and not exists (select 1 from dlq.redrive r where r.id = attempt and r.entry_id = e.id)
          and not exists (select 1 from dlq.occurrence o where o.entry_id = e.id and o.capture_id <> capture
          and o.payload_hash = hash and o.code_version is not distinct from version);
      else
        reopens := failed > s.resolved_at or exists (select 1 from dlq.redrive r where r.id = attempt and r.entry_id = e.id and r.outcome = 'succeeded');
      end if;
    end if;
    if refailed then
      update dlq.redrive r set ended_at = clock_timestamp(), outcome = 'refailed', answer = coalesce(r.answer, left(err, 2000))
        where r.id = s.attempt_id and r.ended_at is null;
      if s.redrive_attempts >= s.max_redrives or s.cancel_requested then
        s.state := 'resolved'; s.resolution := 'abandoned'; s.resolved_at := clock_timestamp();
        s.resolution_reason := case when s.cancel_requested then 'failed again after it was to be abandoned' || coalesce(': ' || s.resolution_reason, '')
          else 'failed again at the cap of ' || s.max_redrives || ' redrives' end;
      else
        s.state := 'open';
      end if;
      s.attempt_id := null; s.lease_until := null; s.cancel_requested := false;
      perform set_config('dlq.reason', 'failed again', true);
    elsif reopens then
      outcome := 'reopened';
      s.state := 'open'; s.resolution := null; s.resolution_reason := null; s.resolved_at := null;
      s.redrive_attempts := 0; s.reopen_count := s.reopen_count + 1;
      perform set_config('dlq.reason', 'failed again after it was resolved', true);
    end if;
    update dlq.state x set state = s.state, resolution = s.resolution, resolution_reason = s.resolution_reason, resolved_at = s.resolved_at,
      redrive_attempts = s.redrive_attempts, reopen_count = s.reopen_count, attempt_id = s.attempt_id, lease_until = s.lease_until,
      cancel_requested = s.cancel_requested, version = x.version + 1, failed_at = e.failed_at,
      public_cell = dlq.public_cell_of(x.cell, e.sensitive),
      combo = dlq.combo_of(e.queue, e.failure_class, e.error_class, e.task_name,
        case when newest then claim else (select q.src_crs from dlq.payload q where q.entry_id = e.id and q.payload_hash = e.payload_hash) end,
        case when newest then number else (select q.srid from dlq.payload q where q.entry_id = e.id and q.payload_hash = e.payload_hash) end,
        e.code_version, e.signature, d.crs_verdict,
        case when d.payload_hash is null then 'not_diagnosed' else d.unmappable_reason end, e.sensitive)
      where x.entry_id = e.id;
  end if;
  perform set_config('dlq.actor', actor_before, true);
  perform set_config('dlq.reason', reason_before, true);
  return row(e.id, e.work_key, e.attempts, outcome)::dlq.captured;
end $$;
