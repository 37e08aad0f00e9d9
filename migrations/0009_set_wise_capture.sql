-- Many captures in one transaction: read once, locked in one order, written table by table. What one capture means stays in
-- dlq.capture(); both doors share the reading of a proposal, the keys and the combinations below.

-- The same text as before; an expression whose telling character is absent is not run.
create or replace function dlq.normalise_error(error_text text) returns text language plpgsql immutable parallel safe as $$
declare
  t text := left(coalesce(error_text, ''), 2000);
begin
  if t = '' then return t; end if;
  if position('-' in t) > 0 then
    t := regexp_replace(t, '[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}', '<id>', 'g');
  end if;
  if position('://' in t) > 0 then t := regexp_replace(t, '[a-z][a-z0-9+.-]*://[^\s''")]+', '<uri>', 'g'); end if;
  if position('/' in t) > 0 or position('\' in t) > 0 then
    t := regexp_replace(t, '(?:[A-Za-z]:)?(?:[/\\][\w.@%+~-]+){2,}', '<path>', 'g');
  end if;
  if position('NaN' in t) > 0 or position('inf' in t) > 0 or position('Infinity' in t) > 0 then
    t := regexp_replace(t, '[-+]?(?:\m\d+(?:\.\d+)?(?:[eE][-+]?\d+)?\M|\m(?:NaN|Infinity|inf)\M)', '#', 'g');
  elsif t ~ '\d' then
    t := regexp_replace(t, '[-+]?\m\d+(?:\.\d+)?(?:[eE][-+]?\d+)?\M', '#', 'g');
  end if;
  if t ~ '\d' then t := regexp_replace(t, '\m(?=[0-9a-fA-F]*\d)[0-9a-fA-F]{12,}\M', '<hex>', 'g'); end if;
  if t like '%#%#%' then t := regexp_replace(t, '#(?:[\s,;]+#)+', '#', 'g'); end if;
  -- how many vertices a geometry in the text has is no part of the failure
  if t like '%(%#%' then t := regexp_replace(t, '\((?:\s*#\s*,?)+\)', '(#)', 'g'); end if;
  return t;
end $$;

-- The same answer: the whole expression with its groups (8 µs a line) only where the first `File "` of a line does not begin a frame.
create or replace function dlq.project_frame(traceback text) returns text language plpgsql immutable parallel safe as $$
declare
  t text := right(coalesce(traceback, ''), 16000);
  lines text[];
  line text;
  tail text;
  path text;
  found text[];
begin
  if position('File "' in t) = 0 and position('at ' in t) = 0 then return ''; end if;
  lines := string_to_array(t, E'\n');
  for i in reverse cardinality(lines)..1 loop
    line := lines[i];
    continue when position('File "' in line) = 0;
    tail := substr(line, position('File "' in line) + 6);
    path := split_part(tail, '"', 1);
    tail := substr(tail, length(path) + 1);
    if path <> '' and tail ~ '^", line \d+, in \S' then
      found := array[path, substring(substr(tail, position(', in ' in tail) + 5) from '^\S+')];
    else
      found := regexp_match(line, 'File "([^"]+)", line \d+, in (\S+)');
    end if;
    if position('site-packages' in found[1]) = 0 and position('dist-packages' in found[1]) = 0 and position('lib/python' in found[1]) = 0 then
      return found[2] || '@' || split_part(replace(found[1], '\', '/'), '/', -1);
    end if;
  end loop;
  for i in 2..cardinality(lines) loop
    continue when position('at ' in lines[i]) = 0 or position('node_modules' in lines[i]) > 0;
    found := regexp_match(lines[i], '^\s+at (?:async )?(?:([^\s()]+)(?: \[[^\]]*\])? \()?((?:file://)?[^\s():]+):\d+:\d+\)?');
    if found[2] !~ '(^node$|node:)' then
      return coalesce(found[1], '') || '@' || split_part(replace(found[2], '\', '/'), '/', -1);
    end if;
  end loop;
  return '';
end $$;

-- These two in plpgsql: an SQL function that calls what is not immutable (convert_to) is never inlined, and is set up anew for
-- each row (7 µs a call; 1 µs here).
create or replace function dlq.signature(error_type text, error_text text, traceback text) returns text language plpgsql immutable parallel safe as $$
begin
  return left(encode(sha256(convert_to(
    coalesce(error_type, '') || E'\x1f' || dlq.normalise_error(error_text) || E'\x1f' || dlq.project_frame(traceback), 'UTF8')), 'hex'), 16);
end $$;
-- sha256 over the geometry's bytes, its text as given (or the hash of its canonical JSON), the canonical rest, and the params
-- where jsonb cannot hold them (or the hash of their canonical JSON). jsonb text is sorted. Each part comes with its length, or
-- as one byte where there is none, so that no two payloads share a text: no geometry is another one than a geometry of no bytes.
drop function dlq.payload_hash(bytea, text, jsonb, bytea);
create function dlq.hash_part(part bytea) returns bytea language sql immutable parallel safe as $$
  select coalesce(int8send(octet_length(part)) || part, '\xff')
$$;
create function dlq.payload_hash(wkb bytea, given text, rest text, raw bytea) returns bytea language plpgsql immutable parallel safe as $$
begin
  return sha256(dlq.hash_part(wkb) || dlq.hash_part(convert_to(given, 'UTF8')) || dlq.hash_part(convert_to(rest, 'UTF8')) || dlq.hash_part(raw));
end $$;

-- An index entry holds at most 2,704 bytes; the key itself stays whole in idempotency_key.
create function dlq.work_key_of(given_key text) returns text language plpgsql immutable parallel safe as $$
begin
  if octet_length(given_key) > 2000 then return left(given_key, 400) || '…' || encode(sha256(convert_to(given_key, 'UTF8')), 'hex'); end if;
  return given_key;
end $$;

-- The key of a unit whose own key belongs to another task.
create function dlq.derived_key(task_name text, given_key text) returns text language sql immutable parallel safe as $$
  select encode(sha256(convert_to(task_name || E'\x1f' || given_key, 'UTF8')), 'hex') || ':' || left(given_key, 400)
$$;

create function dlq.combo_key(queue text, failure_class text, error_class text, task_name text, src_crs text, srid integer,
  code_version text, signature text, crs_verdict text, unmappable_reason text, sensitive boolean) returns bytea
language plpgsql immutable parallel safe as $$
begin
  return sha256(convert_to(jsonb_build_array(queue, failure_class, error_class, task_name, src_crs, srid, code_version, signature,
    crs_verdict, unmappable_reason, sensitive)::text, 'UTF8'));
end $$;

create or replace function dlq.combo_of(queue text, failure_class text, error_class text, task_name text, src_crs text, srid integer,
  code_version text, signature text, crs_verdict text, unmappable_reason text, sensitive boolean) returns integer
language plpgsql security definer set search_path = dlq, public, pg_temp as $$
declare
  k bytea := dlq.combo_key(queue, failure_class, error_class, task_name, src_crs, srid, code_version, signature, crs_verdict, unmappable_reason, sensitive);
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

-- A capture's fields in the types of the columns that take them.
create type dlq.proposal as (
  given_key text, work_key text, task_name text, task_id text, geom_hash text, capture_id uuid, attempt_id uuid, queue text, via text,
  code_version text, run_id text, failed_at timestamptz,
  failure_class text, failure_class_claimed text, classified_by text, error_class text, error_type text, error_text text, traceback text,
  signature text, sensitive boolean,
  payload_hash bytea, geom geometry, geom_wkb bytea, geom_given text, geom_format text, geom_error text, srid integer, src_crs text,
  tile_z smallint, tile_x integer, tile_y integer, tile_matrix_set text, source_uris text[], source_window jsonb, nodata text,
  target_crs text, params jsonb, params_raw bytea, payload_ref text);

-- Reads a proposal: `p` holds the fields of a capture by their names (params as JSON text in params_text where jsonb cannot be
-- trusted with it); the geometry comes as bytes (`wkb`) or, from SQL writers, as a geometry (`g`). `new_id` and `moment` stand in
-- for what was not given. Inlined into the caller's statement, where `p` must be a column: an expression would be run per field.
create function dlq.proposed(p jsonb, wkb bytea, g geometry, new_id uuid, moment timestamptz) returns setof dlq.proposal
language sql stable rows 1 as $$
  select r.given_key, dlq.work_key_of(r.given_key), coalesce(nullif(p ->> 'task_name', ''), 'unnamed'), p ->> 'task_id', p ->> 'geom_hash',
    coalesce((p ->> 'capture_id')::uuid, new_id), (p ->> 'attempt_id')::uuid, coalesce(nullif(p ->> 'queue', ''), 'default'),
    coalesce(p ->> 'via', 'sql'), p ->> 'code_version', p ->> 'run_id',
    -- a writer's now() is the start of its transaction, which can be long before the failure
    coalesce(nullif((p ->> 'failed_at')::timestamptz, now()), moment),
    r.failure_class, r.claimed, case when r.claimed is null then 'classifier' else 'writer' end,
    case when p ->> 'error_class' in ('transient', 'fatal') then p ->> 'error_class' else dlq.error_class_of(r.failure_class) end,
    p ->> 'error_type', p ->> 'error_text', p ->> 'traceback', dlq.signature(p ->> 'error_type', p ->> 'error_text', p ->> 'traceback'),
    coalesce((p ->> 'sensitive')::boolean, false),
    -- the text of a jsonb object with these members, in jsonb's order: made as one, 5 µs a line more
    dlq.payload_hash(r.bytes, coalesce(p ->> 'given_hash', p ->> 'geom_given'), '{"srid": ' || coalesce(r.number::text, 'null')
      || ', "nodata": ' || coalesce((p -> 'nodata')::text, 'null') || ', "params": ' || coalesce(r.parameters::text, 'null')
      || ', "tile_x": ' || coalesce((p -> 'tile_x')::text, 'null') || ', "tile_y": ' || coalesce((p -> 'tile_y')::text, 'null')
      || ', "tile_z": ' || coalesce((p -> 'tile_z')::text, 'null') || ', "src_crs": ' || coalesce(to_jsonb(p ->> 'src_crs')::text, 'null')
      || ', "target_crs": ' || coalesce((p -> 'target_crs')::text, 'null') || ', "payload_ref": ' || coalesce((p -> 'payload_ref')::text, 'null')
      || ', "source_uris": ' || coalesce((p -> 'source_uris')::text, 'null') || ', "source_window": ' || coalesce((p -> 'source_window')::text, 'null')
      || ', "tile_matrix_set": ' || coalesce((p -> 'tile_matrix_set')::text, 'null') || '}', coalesce(decode(p ->> 'params_hash', 'hex'), r.raw_parameters)),
    case when ST_SRID(r.shape) = 0 and r.number between 1 and 998999 then ST_SetSRID(r.shape, r.number) else r.shape end,
    r.bytes, p ->> 'geom_given', coalesce(p ->> 'geom_format', case when r.bytes is not null then 'wkb' end), r.shape_error,
    r.number, p ->> 'src_crs', (p ->> 'tile_z')::smallint, (p ->> 'tile_x')::integer, (p ->> 'tile_y')::integer, p ->> 'tile_matrix_set',
    case when jsonb_typeof(p -> 'source_uris') = 'array' then array(select jsonb_array_elements_text(p -> 'source_uris')) end,
    nullif(p -> 'source_window', 'null'), p ->> 'nodata', p ->> 'target_crs', r.parameters, r.raw_parameters, p ->> 'payload_ref'
  from (
    select q.*, coalesce((p ->> 'srid')::integer, nullif(ST_SRID(q.shape), 0)) as number, coalesce(wkb, ST_AsEWKB(q.shape)) as bytes,
      coalesce(q.claimed, dlq.classify(p ->> 'error_type', p ->> 'error_text')) as failure_class,
      case when p ? 'params_raw' then decode(p ->> 'params_raw', 'base64')
        when q.parameters is null and p ? 'params_text' then convert_to(p ->> 'params_text', 'UTF8') end as raw_parameters
    from (
      select coalesce(nullif(p ->> 'work_key', ''), new_id::text) as given_key, nullif(p ->> 'failure_class', '') as claimed,
        coalesce(nullif(p -> 'params', 'null'), dlq.jsonb_of(p ->> 'params_text')) as parameters,
        coalesce(g, o.geom) as shape, coalesce(o.error, p ->> 'geom_error') as shape_error
      from dlq.geometry_of(case when g is null then wkb end) o
      offset 0 -- each is computed once
    ) q
    offset 0
  ) r
$$;

-- When a failure counts as having been, beside others of its entry: a clock that is more than a day ahead says nothing of that, and
-- must not keep what fails after it from being the current failure. The moment itself stays as it was given.
create function dlq.believed(at timestamptz) returns timestamptz language sql stable as $$
  select case when at > now() + interval '1 day' then '-infinity'::timestamptz else at end
$$;

-- What the lines of each entry come to, read in their order as dlq.capture() would, one after the other: the number of the
-- newest line (the last one that was not older than all before it), and what is gathered over all. `seen` is failed_at and
-- `seen_hash` the payload of the entry before; null for a new one. Lines that do not count come with a null key.
create type dlq.folded as (
  n bigint, work_key text, entry_id bigint, is_newest boolean, other_payload boolean, captures integer,
  first_seen timestamptz, failed_at timestamptz, sensitive boolean, task_id text, geom_hash text, queue text, via text);
create function dlq.fold(proposals dlq.proposal[], keys text[], ids bigint[], seen timestamptz[], seen_hash bytea[]) returns setof dlq.folded
language plpgsql stable as $$
begin
  -- mostly each line is an entry of its own, and nothing is to be gathered (1 µs a line; 8 by the windows)
  if (select count(distinct k collate "C") = count(k) from unnest(keys) k) then
    return query
      select p.ordinality, k.key, ids[p.ordinality], n.is_newest, n.is_newest and p.payload_hash <> seen_hash[p.ordinality], 1, p.failed_at, p.failed_at,
        p.sensitive, p.task_id, case when n.is_newest then p.geom_hash end, p.queue, p.via
      from unnest(proposals) with ordinality p, lateral (select keys[p.ordinality]) k (key),
        lateral (select dlq.believed(p.failed_at) >= coalesce(dlq.believed(seen[p.ordinality]), '-infinity')) n (is_newest)
      where k.key is not null;
    return;
  end if;
  return query
    select distinct on (w.key collate "C") w.n, w.key, w.id, w.is_newest, bool_or(w.is_newest and w.payload_hash <> w.seen_hash) over entry,
      (count(*) over entry)::integer, min(w.failed_at) over entry, w.failed_at, bool_or(w.sensitive) over entry,
      (array_agg(w.task_id) filter (where w.task_id is not null) over lines)[1],
      (array_agg(w.geom_hash) filter (where w.geom_hash is not null and w.is_newest) over from_last)[1],
      first_value(w.queue) over lines, first_value(w.via) over lines
    from (
      select z.*, z.believed >= greatest(z.seen, max(z.believed) over (partition by z.key collate "C" order by z.n rows between unbounded preceding and 1 preceding),
          '-infinity') as is_newest
      from (
        select p.ordinality as n, keys[p.ordinality] as key, ids[p.ordinality] as id, dlq.believed(seen[p.ordinality]) as seen, seen_hash[p.ordinality] as seen_hash,
          p.failed_at, dlq.believed(p.failed_at) as believed, p.payload_hash, p.sensitive, p.task_id, p.geom_hash, p.queue, p.via
        from unnest(proposals) with ordinality p
      ) z
      where z.key is not null
    ) w
    window entry as (partition by w.key collate "C"),
      lines as (partition by w.key collate "C" order by w.n rows between unbounded preceding and unbounded following),
      from_last as (partition by w.key collate "C" order by w.n desc rows between unbounded preceding and unbounded following)
    order by w.key collate "C", w.is_newest desc, w.n desc;
end $$;

-- Writes one dead letter, read as dlq.proposed() does. Locks the entry (not its key: redrives refer to it, and their
-- writers hold the state first), then its diagnosis, then its state: the order of everyone who locks more than one.
-- Outcome: created | repeated | reopened | duplicate (this capture_id was already counted: the answer is the entry that has it).
create or replace function dlq.capture(p jsonb, wkb bytea default null, g geometry default null) returns dlq.captured
language plpgsql security definer set search_path = dlq, public, pg_temp set client_min_messages = warning as $$
declare
  r dlq.proposal;
  new_id uuid := gen_random_uuid(); -- as arguments, volatile calls would keep dlq.proposed() from being inlined (0.4 ms)
  moment timestamptz := clock_timestamp();
  key text;
  e dlq.entry;
  s dlq.state;
  d dlq.diagnosis;
  newest boolean;
  outcome text;
  fresh boolean := false;
  refailed boolean := false;
  reopens boolean := false;
  other_payload boolean;
  actor_before text := coalesce(current_setting('dlq.actor', true), '');
  reason_before text := coalesce(current_setting('dlq.reason', true), '');
begin
  select * into r from dlq.proposed(p, wkb, g, new_id, moment);
  key := r.work_key;
  -- looked at first, so that a capture_id sent again under another key makes no entry
  if p ? 'capture_id' then
    select x.* into e from dlq.occurrence o join dlq.entry x on x.id = o.entry_id where o.capture_id = r.capture_id;
    if found then return row(e.id, e.work_key, e.attempts, 'duplicate')::dlq.captured; end if;
  end if;
  for try in 1..2 loop
    select * into e from dlq.entry x where x.work_key = key for no key update;
    if not found then
      insert into dlq.entry (queue, work_key, idempotency_key, task_name, task_id, geom_hash, payload_hash, code_version, run_id, failure_class,
          failure_class_claimed, classified_by, error_class, error_type, error_text, traceback, signature, first_seen, failed_at, sensitive, via)
        values (r.queue, key, r.given_key, r.task_name, r.task_id, r.geom_hash, r.payload_hash, r.code_version, r.run_id, r.failure_class,
          r.failure_class_claimed, r.classified_by, r.error_class, r.error_type, r.error_text, r.traceback, r.signature, r.failed_at, r.failed_at, r.sensitive, r.via)
        on conflict (work_key) do nothing returning * into e;
      fresh := found;
      if not fresh then select * into e from dlq.entry x where x.work_key = key for no key update; end if;
    end if;
    exit when e.task_name = r.task_name and e.idempotency_key = r.given_key;
    -- another task's unit: an entry of its own under a key derived from both, the same idempotency key
    key := dlq.derived_key(r.task_name, r.given_key);
  end loop;
  if e.task_name <> r.task_name or e.idempotency_key <> r.given_key then
    raise exception 'work_key % belongs to task %', key, e.task_name using errcode = 'unique_violation';
  end if;

  insert into dlq.occurrence (capture_id, entry_id, payload_hash, failed_at, via, attempt_id, code_version, run_id, failure_class, error_class,
      error_type, error_text, traceback, signature)
    values (r.capture_id, e.id, r.payload_hash, r.failed_at, r.via, r.attempt_id, r.code_version, r.run_id, r.failure_class, r.error_class, r.error_type,
      r.error_text, r.traceback, r.signature)
    on conflict (capture_id) do nothing;
  if not found then
    if fresh then raise exception 'this capture_id was stored under another key meanwhile' using errcode = 'serialization_failure'; end if;
    return row(e.id, e.work_key, e.attempts, 'duplicate')::dlq.captured;
  end if;
  insert into dlq.payload (entry_id, payload_hash, geom, geom_wkb, geom_given, geom_format, geom_error, srid, src_crs, tile_z, tile_x, tile_y,
      tile_matrix_set, source_uris, source_window, nodata, target_crs, params, params_raw, payload_ref)
    values (e.id, r.payload_hash, r.geom, r.geom_wkb, r.geom_given, r.geom_format, r.geom_error, r.srid, r.src_crs, r.tile_z, r.tile_x, r.tile_y,
      r.tile_matrix_set, r.source_uris, r.source_window, r.nodata, r.target_crs, r.params, r.params_raw, r.payload_ref)
    on conflict do nothing;
  newest := fresh or dlq.believed(r.failed_at) >= dlq.believed(e.failed_at);
  other_payload := newest and r.payload_hash <> e.payload_hash;

  update dlq.entry x set
    attempts = x.attempts + 1,
    first_seen = least(x.first_seen, r.failed_at),
    failed_at = case when newest then r.failed_at else x.failed_at end,
    sensitive = x.sensitive or r.sensitive,
    payload_hash = case when newest then r.payload_hash else x.payload_hash end,
    code_version = case when newest then r.code_version else x.code_version end,
    run_id = case when newest then r.run_id else x.run_id end,
    task_id = coalesce(x.task_id, r.task_id),
    geom_hash = case when newest then coalesce(r.geom_hash, x.geom_hash) else x.geom_hash end,
    -- a person's or a rule's classification stays until the failure itself is another one
    failure_class = case when newest and (x.classified_by in ('writer', 'classifier') or x.signature <> r.signature) then r.failure_class else x.failure_class end,
    failure_class_claimed = case when newest then r.failure_class_claimed else x.failure_class_claimed end,
    classified_by = case when newest and (x.classified_by in ('writer', 'classifier') or x.signature <> r.signature)
      then r.classified_by else x.classified_by end,
    error_class = case when newest then r.error_class else x.error_class end,
    error_type = case when newest then r.error_type else x.error_type end,
    error_text = case when newest then r.error_text else x.error_text end,
    traceback = case when newest then r.traceback else x.traceback end,
    signature = case when newest then r.signature else x.signature end
  where x.id = e.id returning * into e;

  perform set_config('dlq.actor', 'capture:' || r.via, true);
  if fresh then
    outcome := 'created';
    perform set_config('dlq.reason', 'captured', true);
    insert into dlq.diagnosis (entry_id) values (e.id);
    insert into dlq.state (entry_id, failed_at, combo) values (e.id, e.failed_at, dlq.combo_of(e.queue, e.failure_class, e.error_class, e.task_name,
      r.src_crs, r.srid, e.code_version, e.signature, null, 'not_diagnosed', e.sensitive));
  else
    outcome := 'repeated';
    -- also where an earlier payload became the current one again
    if other_payload then
      update dlq.diagnosis x set diagnosed_at = null, tries = 0 where x.entry_id = e.id;
    end if;
    select * into s from dlq.state x where x.entry_id = e.id for update;
    select * into d from dlq.diagnosis x where x.entry_id = e.id;
    if s.state in ('redriving', 'redriven', 'in_doubt') then
      -- the failure of this redrive: it says so, or it came after the send without saying anything. One that is older than the
      -- send (a spool loaded late) only counts; a minute is left for clocks that differ
      refailed := case when r.attempt_id is null
        then exists (select 1 from dlq.redrive t where t.id = s.attempt_id and t.sent_at < r.failed_at + interval '1 minute')
        else r.attempt_id = s.attempt_id end;
    elsif s.state = 'resolved' then
      if s.resolution = 'abandoned' then
        -- the same payload under the same code only counts ("abandoned, still failing"), and so does the late word of a redrive
        -- that had ended: else the cap would be theatre
        reopens := r.failed_at > s.resolved_at and not exists (select 1 from dlq.redrive t where t.id = r.attempt_id and t.entry_id = e.id)
          and not exists (select 1 from dlq.occurrence o where o.entry_id = e.id and o.capture_id <> r.capture_id
          and o.payload_hash = r.payload_hash and o.code_version is not distinct from r.code_version);
      else
        reopens := r.failed_at > s.resolved_at or exists (select 1 from dlq.redrive t where t.id = r.attempt_id and t.entry_id = e.id and t.outcome = 'succeeded');
      end if;
    end if;
    if refailed then
      update dlq.redrive t set ended_at = clock_timestamp(), outcome = 'refailed', answer = coalesce(t.answer, left(r.error_text, 2000))
        where t.id = s.attempt_id and t.ended_at is null;
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
        case when newest then r.src_crs else (select q.src_crs from dlq.payload q where q.entry_id = e.id and q.payload_hash = e.payload_hash) end,
        case when newest then r.srid else (select q.srid from dlq.payload q where q.entry_id = e.id and q.payload_hash = e.payload_hash) end,
        e.code_version, e.signature, d.crs_verdict,
        case when d.payload_hash is null then 'not_diagnosed' else d.unmappable_reason end, e.sensitive)
      where x.entry_id = e.id;
  end if;
  perform set_config('dlq.actor', actor_before, true);
  perform set_config('dlq.reason', reason_before, true);
  return row(e.id, e.work_key, e.attempts, outcome)::dlq.captured;
end $$;

-- Writes many dead letters as dlq.capture() would one by one in the order of the lines, with the answers in that order. `texts`
-- holds a proposal a line; line n's geometry is `sizes[n]` bytes of `bytes` from `starts[n]` (from 0) on, none where that is null.
-- An entry changes once, whatever the number of its lines. Locks: the entries by their keys, new or not, in one statement; then
-- the diagnoses, then the states, by id. What needs more than counting (an entry in flight or resolved, a class that a person or
-- a rule gave) is handed to dlq.capture() under the same locks. Raises serialization_failure where another transaction has
-- committed the key for another task, or a capture_id under another key, since this one looked: run it again.
create function dlq.capture_many(texts text, bytes bytea, starts integer[], sizes integer[])
returns table (n bigint, entry_id bigint, work_key text, attempts integer, outcome text)
language plpgsql set search_path = dlq, public, pg_temp set client_min_messages = warning
  -- a plan made while a table was empty must not scan it when it has grown, and 500 lines must not be compared with 500
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_mergejoin = off set work_mem = '32MB' as $$
#variable_conflict use_column
declare
  proposals dlq.proposal[];
  duplicates boolean[];
  keys text[]; -- where a line goes; null for a duplicate
  plain text[]; -- the same, null also for what dlq.capture() takes
  ids bigint[];
  seen timestamptz[]; -- failed_at and payload_hash of the entry before; null for a new one
  seen_hash bytea[];
  folded dlq.folded[]; -- what the lines of each entry come to
  counted dlq.folded[]; -- the same for entries that were there, without what dlq.capture() takes
  touched bigint[]; -- the entries whose state is written, and what it takes from them
  combos bytea[];
  created_via text[]; -- null for an entry that was there
  failed timestamptz[];
  secret boolean[];
  outcomes text[];
  channel text;
  line integer;
  created integer;
  written integer;
  actor_before text := coalesce(current_setting('dlq.actor', true), '');
  reason_before text := coalesce(current_setting('dlq.reason', true), '');
begin
  select array_agg(r order by s.n) into proposals
  from (
    select t.line::jsonb as p, substring(bytes from t.start + 1 for t.size) as wkb, t.n, gen_random_uuid() as new_id, clock_timestamp() as moment
    from unnest(string_to_array(texts, E'\n'), starts, sizes) with ordinality t (line, start, size, n) offset 0
  ) s, lateral dlq.proposed(s.p, s.wkb, null, s.new_id, s.moment) r;

  -- a capture_id counts once: its first line here, and none where it was stored before
  select array_agg(x.nth > 1 or exists (select from dlq.occurrence o where o.capture_id = x.capture_id) order by x.n) into duplicates
  from (
    select p.ordinality as n, p.capture_id, row_number() over (partition by p.capture_id order by p.ordinality) as nth
    from unnest(proposals) with ordinality p
  ) x;

  -- the key belongs to the entry that has it, else to the first line here; a unit of another task gets one derived from both
  select array_agg(y.key order by y.n), array_agg(case when y.key = y.work_key then y.owner else (select e.id from dlq.entry e where e.work_key = y.key) end order by y.n)
    into keys, ids
  from (
    select p.ordinality as n, p.work_key, e.id as owner, case when duplicates[p.ordinality] then null
      when p.given_key = coalesce(e.idempotency_key, first_value(p.given_key) over k)
        and p.task_name = coalesce(e.task_name, first_value(p.task_name) over k) then p.work_key
      else dlq.derived_key(p.task_name, p.given_key) end as key
    from unnest(proposals) with ordinality p left join dlq.entry e on e.work_key = p.work_key
    window k as (partition by p.work_key order by duplicates[p.ordinality], p.ordinality)
  ) y;

  -- DO UPDATE … WHERE false locks the row that is there, as `for no key update` would; an id is drawn for new keys only
  select array_agg(f) into folded from dlq.fold(proposals, keys, ids, null, null) f;
  insert into dlq.entry as x (id, queue, work_key, idempotency_key, task_name, task_id, geom_hash, payload_hash, code_version, run_id, failure_class,
      failure_class_claimed, classified_by, error_class, error_type, error_text, traceback, signature, attempts, first_seen, failed_at, sensitive, via)
    select coalesce(f.entry_id, nextval('dlq.entry_id')), f.queue, f.work_key, p.given_key, p.task_name, f.task_id, f.geom_hash, p.payload_hash,
      p.code_version, p.run_id, p.failure_class, p.failure_class_claimed, p.classified_by, p.error_class, p.error_type, p.error_text, p.traceback,
      p.signature, f.captures, f.first_seen, f.failed_at, f.sensitive, f.via
    from unnest(folded) f join unnest(proposals) with ordinality p on p.ordinality = f.n order by f.work_key collate "C"
    on conflict (work_key) do update set attempts = x.attempts where false;
  get diagnostics created = row_count;

  -- a new entry has no state yet
  select array_agg(e.id order by u.n), array_agg(case when s.entry_id is not null then e.failed_at end order by u.n),
      array_agg(case when s.entry_id is not null then e.payload_hash end order by u.n),
      max(u.n) filter (where (e.task_name, e.idempotency_key) <> ((proposals[u.n]).task_name, (proposals[u.n]).given_key))
    into ids, seen, seen_hash, line
  from unnest(keys) with ordinality u (key, n)
  left join dlq.entry e on e.work_key = u.key left join dlq.state s on s.entry_id = e.id;
  if line is not null and keys[line] = (proposals[line]).work_key then
    raise exception 'work_key % was taken by another task meanwhile', keys[line] using errcode = 'serialization_failure';
  elsif line is not null then
    raise exception 'work_key % belongs to another task', keys[line] using errcode = 'unique_violation';
  end if;

  plain := keys;
  if created < coalesce(cardinality(folded), 0) then
    perform from dlq.diagnosis d where d.entry_id = any (ids) order by d.entry_id for no key update;
    perform from dlq.state s where s.entry_id = any (ids) order by s.entry_id for update;
    -- again, now that no one else can count for these entries
    select array_agg(duplicates[u.n] or (seen[u.n] is not null
        and exists (select from dlq.occurrence o where o.capture_id = (proposals[u.n]).capture_id)) order by u.n) into duplicates
      from unnest(ids) with ordinality u (id, n);
    select array_agg(case when not duplicates[u.n] then keys[u.n] end order by u.n), array_agg(case when not duplicates[u.n]
        and (s.entry_id is null or s.state in ('open', 'quarantined') and e.classified_by in ('writer', 'classifier')) then keys[u.n] end order by u.n)
      into keys, plain
    from unnest(ids) with ordinality u (id, n)
    left join dlq.entry e on e.id = u.id left join dlq.state s on s.entry_id = u.id;
  end if;

  insert into dlq.occurrence (capture_id, entry_id, payload_hash, failed_at, via, attempt_id, code_version, run_id, failure_class, error_class,
      error_type, error_text, traceback, signature)
    select p.capture_id, ids[p.ordinality], p.payload_hash, p.failed_at, p.via, p.attempt_id, p.code_version, p.run_id, p.failure_class, p.error_class,
      p.error_type, p.error_text, p.traceback, p.signature
    from unnest(proposals) with ordinality p where plain[p.ordinality] is not null order by p.capture_id
    on conflict (capture_id) do nothing;
  get diagnostics written = row_count;
  if written < cardinality(array_remove(plain, null)) then
    raise exception 'a capture_id of these was stored meanwhile' using errcode = 'serialization_failure';
  end if;
  insert into dlq.payload (entry_id, payload_hash, geom, geom_wkb, geom_given, geom_format, geom_error, srid, src_crs, tile_z, tile_x, tile_y,
      tile_matrix_set, source_uris, source_window, nodata, target_crs, params, params_raw, payload_ref)
    select ids[p.ordinality], p.payload_hash, p.geom, p.geom_wkb, p.geom_given, p.geom_format,
      p.geom_error, p.srid, p.src_crs, p.tile_z, p.tile_x, p.tile_y, p.tile_matrix_set, p.source_uris, p.source_window, p.nodata, p.target_crs,
      p.params, p.params_raw, p.payload_ref
    from unnest(proposals) with ordinality p where plain[p.ordinality] is not null
    on conflict do nothing;

  if created < coalesce(cardinality(folded), 0) then
    select array_agg(f) into counted
      from dlq.fold(proposals, array(select case when seen[u.n] is not null then plain[u.n] end from generate_subscripts(plain, 1) u (n) order by u.n), ids, seen, seen_hash) f;
    update dlq.entry x set attempts = x.attempts + f.captures, first_seen = least(x.first_seen, f.first_seen), sensitive = x.sensitive or f.sensitive,
        task_id = coalesce(x.task_id, f.task_id)
      from unnest(counted) f where x.id = f.entry_id and not f.is_newest;
    update dlq.entry x set attempts = x.attempts + f.captures, first_seen = least(x.first_seen, f.first_seen), sensitive = x.sensitive or f.sensitive,
        task_id = coalesce(x.task_id, f.task_id), geom_hash = coalesce(f.geom_hash, x.geom_hash), failed_at = f.failed_at,
        payload_hash = p.payload_hash, code_version = p.code_version, run_id = p.run_id, failure_class = p.failure_class,
        failure_class_claimed = p.failure_class_claimed, classified_by = p.classified_by, error_class = p.error_class, error_type = p.error_type,
        error_text = p.error_text, traceback = p.traceback, signature = p.signature
      from unnest(counted) f join unnest(proposals) with ordinality p on p.ordinality = f.n where x.id = f.entry_id and f.is_newest;
    update dlq.diagnosis x set diagnosed_at = null, tries = 0 from unnest(counted) f where x.entry_id = f.entry_id and f.other_payload;
  end if;
  insert into dlq.diagnosis (entry_id) select ids[f.n] from unnest(folded) f where seen[f.n] is null;

  -- of a new entry all is known here; of the others, what became of them just now
  with facet as materialized (
    select x.id, x.created_via, x.failed_at, dlq.combo_key(x.queue, x.failure_class, x.error_class, x.task_name, x.src_crs, x.srid, x.code_version, x.signature,
        x.crs_verdict, x.reason, x.sensitive) as key,
      x.queue, x.failure_class, x.error_class, x.task_name, x.src_crs, x.srid, x.code_version, x.signature, x.crs_verdict, x.reason, x.sensitive
    from (
      select ids[f.n] as id, f.via as created_via, f.queue, p.failure_class, p.error_class, p.task_name, p.src_crs, p.srid, p.code_version, p.signature,
        null as crs_verdict, 'not_diagnosed' as reason, f.sensitive, f.failed_at
      from unnest(folded) f join unnest(proposals) with ordinality p on p.ordinality = f.n where seen[f.n] is null
      union all
      select e.id, null, e.queue, e.failure_class, e.error_class, e.task_name, p.src_crs, p.srid, e.code_version, e.signature, d.crs_verdict,
        case when d.payload_hash is null then 'not_diagnosed' else d.unmappable_reason end, e.sensitive, e.failed_at
      from unnest(counted) f
      -- one by one: joined, an index is read from end to end by a plan that was made while the table was small
      cross join lateral (select * from dlq.entry e where e.id = f.entry_id offset 0) e
      cross join lateral (select q.src_crs, q.srid from dlq.payload q where q.entry_id = e.id and q.payload_hash = e.payload_hash offset 0) p
      cross join lateral (select d.payload_hash, d.crs_verdict, d.unmappable_reason from dlq.diagnosis d where d.entry_id = e.id offset 0) d
    ) x
  ), added as (
    insert into dlq.combo (key, queue, failure_class, error_class, task_name, src_crs, srid, code_version, signature, crs_verdict, unmappable_reason, sensitive)
      select distinct on (f.key) f.key, f.queue, f.failure_class, f.error_class, f.task_name, f.src_crs, f.srid, f.code_version, f.signature, f.crs_verdict,
        f.reason, f.sensitive
      from facet f where not exists (select from dlq.combo c where c.key = f.key) order by f.key
      on conflict (key) do nothing
  )
  select array_agg(f.id), array_agg(f.key), array_agg(f.created_via), array_agg(f.failed_at), array_agg(f.sensitive)
    into touched, combos, created_via, failed, secret from facet f;

  perform set_config('dlq.reason', 'captured', true);
  for channel in select distinct v from unnest(created_via) v where v is not null order by v loop
    perform set_config('dlq.actor', 'capture:' || channel, true);
    insert into dlq.state (entry_id, failed_at, combo)
      select u.id, u.failed_at, c.id from unnest(touched, combos, created_via, failed) u (id, key, via, failed_at)
      cross join lateral (select c.id from dlq.combo c where c.key = u.key offset 0) c where u.via = channel order by u.id;
  end loop;
  perform set_config('dlq.actor', actor_before, true);
  perform set_config('dlq.reason', reason_before, true);
  if created < cardinality(touched) then
    update dlq.state x set version = x.version + 1, failed_at = u.failed_at, public_cell = dlq.public_cell_of(x.cell, u.sensitive), combo = c.id
      from unnest(touched, combos, created_via, failed, secret) u (id, key, via, failed_at, sensitive)
      cross join lateral (select c.id from dlq.combo c where c.key = u.key offset 0) c where u.via is null and x.entry_id = u.id;
  end if;

  for line in select k.n from unnest(keys, plain) with ordinality k (key, plain, n) where k.key is not null and k.plain is null order by k.key collate "C", k.n loop
    outcomes[line] := (dlq.capture((string_to_array(texts, E'\n'))[line]::jsonb || jsonb_build_object('capture_id', (proposals[line]).capture_id), (proposals[line]).geom_wkb)).outcome;
  end loop;

  if created = cardinality(keys) then
    return query select u.n, u.id, u.key, 1, 'created' from unnest(ids, keys) with ordinality u (id, key, n);
    return;
  end if;
  return query
    select a.n, e.id, e.work_key,
      (e.attempts - count(*) filter (where not a.duplicate) over (partition by e.id order by a.n rows between 1 following and unbounded following))::integer,
      case when a.duplicate then 'duplicate' when outcomes[a.n] is not null then outcomes[a.n]
        when seen[a.n] is null and row_number() over (partition by e.id, a.duplicate order by a.n) = 1 then 'created' else 'repeated' end
    from (
      select u.n, u.duplicate, case when u.duplicate then (select o.entry_id from dlq.occurrence o where o.capture_id = (proposals[u.n]).capture_id)
        else ids[u.n] end as entry_id
      from unnest(duplicates) with ordinality u (duplicate, n)
    ) a join dlq.entry e on e.id = a.entry_id
    order by a.n;
end $$;

-- Both sides of its joins are the statement's own rows, without an index: by hash, whatever they numbered when it was planned
-- (500 rows by nested loop took 20 ms).
alter function dlq.after_state_update() set enable_nestloop = off;
