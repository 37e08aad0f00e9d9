-- A team's own tables under capture. An attachment is one row here; its trigger functions are written from that row, one set a
-- table, so that \sf shows what becomes of a row and a capture plans nothing. Column names pass through format('%I') only, and
-- values through output functions only: a cast or a function of the team's would run with this schema's rights.
create table dlq.attached_table (
  id integer generated always as identity primary key,
  schema_name text not null,
  table_name text not null,
  table_oid oid not null,
  rows_are text not null check (rows_are in ('units', 'failures')),
  mapping jsonb not null,
  row_key text[] not null,
  task_name text not null,
  queue text,
  attached_at timestamptz not null default clock_timestamp(),
  attached_by text not null default session_user,
  detached_at timestamptz,
  backfill_after text[],
  rows_read bigint not null default 0,
  rows_taken bigint not null default 0,
  rows_known bigint not null default 0,
  backfilled_at timestamptz,
  write_back_error text
);
create unique index attached_table_live on dlq.attached_table (table_oid) where detached_at is null;
comment on table dlq.attached_table is 'Tables of a team that dlo attach put under capture. Rows stay after dlo detach: entries name their table in via.';
comment on column dlq.attached_table.rows_are is 'units: the work key is unique, an upsert counts a re-failure. failures: one row per failure, several rows per work key.';
comment on column dlq.attached_table.mapping is 'Field of a capture: the columns that give it. Several columns of work_key are joined by a colon; each of param is a member of params.';
comment on column dlq.attached_table.row_key is 'Columns of the unique key, none of them nullable, by which the backfill walks.';
comment on column dlq.attached_table.backfill_after is 'Row key of the last row whose capture and marks are committed; the backfill goes on after it.';
comment on column dlq.attached_table.rows_known is 'Rows that the trigger had captured before the backfill came to them.';
comment on column dlq.attached_table.write_back_error is 'Why the marks of entries last could not be written into the table; the next success writes all of them.';

create table dlq.attached_row (
  attached_id integer not null references dlq.attached_table,
  entry_id bigint not null references dlq.entry,
  key text[] not null,
  attempts_before integer not null default 0,
  marks_carried boolean not null,
  primary key (attached_id, entry_id)
);
create index attached_row_entry on dlq.attached_row (entry_id);
comment on table dlq.attached_row is 'Which entry came from which row of an attached table.';
comment on column dlq.attached_row.key is 'The columns of the work key as text, by which marks are written back.';
comment on column dlq.attached_row.attempts_before is
  'Failures that the row counted before it was attached and of which nothing but the number is known: entry.attempts = occurrences + attempts_before.';
comment on column dlq.attached_row.marks_carried is 'Nothing is written back before the marks that the row brought have been carried over.';

create table dlq.attached_skip (
  attached_id integer not null references dlq.attached_table,
  row_key text[] not null,
  reason text not null,
  at timestamptz not null default clock_timestamp(),
  primary key (attached_id, row_key)
);
comment on table dlq.attached_skip is 'Rows that the backfill could not take in, and why; they stay in their table.';

-- Domains stand for what they are made of.
create function dlq.base_type(of_type oid) returns oid language sql stable as $$
  with recursive t as (
    select y.oid, y.typbasetype from pg_type y where y.oid = of_type
    union all
    select y.oid, y.typbasetype from t join pg_type y on y.oid = t.typbasetype
  )
  select t.oid from t where t.typbasetype = 0
$$;

-- How a column is named in an expression: of the row `r` of a query, or in a trigger before or after as new.column. Before a row
-- is written its generated columns are not there yet: their values come from the jsonb `generated`.
create function dlq.attached_reference(a dlq.attached_table, place text, name text) returns text language sql stable as $$
  select case when place = 'before' and c.attgenerated <> ''
    then format('(generated ->> %L)::%s', name, format_type(dlq.base_type(c.atttypid), null))
    else format('%s.%I', case when place = 'query' then 'r' else 'new' end, name) end
  from pg_attribute c where c.attrelid = a.table_oid and c.attname = name and not c.attisdropped and c.attnum > 0
$$;

-- The expression of one field, or null where no column gives it.
create function dlq.attached_expression(a dlq.attached_table, place text, field text) returns text language plpgsql stable
set search_path = dlq, public, pg_temp as $$
declare
  names text[] := array(select jsonb_array_elements_text(a.mapping -> field));
  ref text;
  base text;
  parts text[] := '{}';
  name text;
begin
  if cardinality(names) = 0 then return null; end if;
  if field = 'param' then
    foreach name in array names loop
      ref := dlq.attached_reference(a, place, name);
      select format_type(dlq.base_type(c.atttypid), null) into base from pg_attribute c where c.attrelid = a.table_oid and c.attname = name;
      parts := parts || format('jsonb_build_object(%L, %s)', name,
        case when base in ('jsonb', 'json', 'boolean', 'smallint', 'integer', 'bigint', 'real', 'double precision', 'numeric', 'text', 'text[]') then ref
          else format('nullif(format(''%%s'', %s), '''')', ref) end);
    end loop;
    return array_to_string(parts, ' || ');
  end if;
  ref := dlq.attached_reference(a, place, names[1]);
  if ref is null then
    raise exception 'column % of %.% is gone', names[1], a.schema_name, a.table_name using errcode = 'undefined_column';
  end if;
  select format_type(dlq.base_type(c.atttypid), null) into base from pg_attribute c where c.attrelid = a.table_oid and c.attname = names[1];
  return case
    when field in ('failed_at', 'first_seen', 'resolved_at', 'redriven_at') then
      -- without a zone a time is taken as UTC; an infinite one says nothing
      format('case when isfinite(%1$s) then %1$s%2$s end', ref,
        case base when 'timestamp with time zone' then '' when 'date' then '::timestamp at time zone ''UTC''' else ' at time zone ''UTC''' end)
    when field = 'src_crs' and base in ('smallint', 'integer', 'bigint') then format('''EPSG:'' || %s', ref)
    when field in ('tile_z', 'tile_x', 'tile_y', 'srid', 'attempts', 'sensitive', 'params', 'source_window')
      and base in ('smallint', 'integer', 'bigint', 'boolean', 'jsonb') then ref
    when field = 'source_uris' and base = 'text[]' then format('to_jsonb(%s)', ref)
    when field = 'source_uris' then format('case when %1$s is not null then jsonb_build_array(format(''%%s'', %1$s)) end', ref)
    when field = 'geom' and base = 'geography' then format('%s::geometry', ref)
    when field = 'geom' then ref
    else format('nullif(format(''%%s'', %s), '''')', ref) end;
end $$;

-- The texts of some columns as an array.
create function dlq.attached_texts(a dlq.attached_table, place text, names text[]) returns text language sql stable as $$
  select 'array[' || string_agg(format('format(''%%s'', %s)', dlq.attached_reference(a, place, n.name)), ', ' order by n.i) || ']'
  from unnest(names) with ordinality n (name, i)
$$;

create function dlq.attached_via(a dlq.attached_table) returns text language sql immutable as $$
  select a.schema_name || '.' || a.table_name
$$;

-- What a row of an attached table is as a capture, as expressions.
create type dlq.attached_reading as (key text, row_key text, work_key text, task_name text, p text, wkb text, geom text);
create function dlq.read_attached(a dlq.attached_table, place text) returns dlq.attached_reading language plpgsql stable
set search_path = dlq, public, pg_temp as $$
declare
  o dlq.attached_reading;
  field text;
  base text;
  parts text[] := '{}';
begin
  o.key := dlq.attached_texts(a, place, array(select jsonb_array_elements_text(a.mapping -> 'work_key')));
  o.row_key := dlq.attached_texts(a, place, a.row_key);
  -- a row whose key is empty is a unit of its own
  o.work_key := format('coalesce(nullif(array_to_string(%s, '':''), %L), %L || array_to_string(%s, '':''))',
    o.key, repeat(':', jsonb_array_length(a.mapping -> 'work_key') - 1), dlq.attached_via(a) || ':', o.row_key);
  o.task_name := format('coalesce(%s, %L)', coalesce(dlq.attached_expression(a, place, 'task_name'), 'null'), a.task_name);
  o.wkb := 'null::bytea';
  o.geom := 'null::geometry';
  select format_type(dlq.base_type(c.atttypid), null) into base
    from pg_attribute c where c.attrelid = a.table_oid and c.attname = a.mapping -> 'geom' ->> 0;
  if base = 'bytea' then o.wkb := dlq.attached_expression(a, place, 'geom');
  elsif base is not null then o.geom := dlq.attached_expression(a, place, 'geom'); end if;
  for field in select f from jsonb_object_keys(a.mapping) f
      where f not in ('work_key', 'task_name', 'geom', 'params', 'param', 'attempts', 'first_seen', 'resolved_at', 'redriven_at', 'status') order by f loop
    parts := parts || format('%L, %s', field, dlq.attached_expression(a, place, field));
  end loop;
  if not a.mapping ? 'srid' and base is distinct from 'bytea' and base is not null then
    parts := parts || format('''srid'', nullif(ST_SRID(%s), 0)', o.geom);
  end if;
  if a.mapping ? 'param' then
    parts := parts || format('''params'', %s', dlq.attached_expression(a, place, 'param'));
  elsif a.mapping ? 'params' then
    select format_type(dlq.base_type(c.atttypid), null) into base
      from pg_attribute c where c.attrelid = a.table_oid and c.attname = a.mapping -> 'params' ->> 0;
    parts := parts || format('%L, %s', case when base = 'jsonb' then 'params' else 'params_text' end, dlq.attached_expression(a, place, 'params'));
  end if;
  if a.rows_are = 'failures' then
    parts := parts || format('''capture_id'', md5(%L || array_to_string(%s, E''\x1f''))::uuid', 'attached ' || a.id || ' ', o.row_key);
  end if;
  -- nulls inside params and source_window are evidence
  o.p := format('jsonb_strip_nulls(jsonb_build_object(''via'', %L, ''work_key'', %s, ''task_name'', %s%s))%s', dlq.attached_via(a), o.work_key, o.task_name,
    coalesce(', ' || nullif(array_to_string(array(select x from unnest(parts) x where x !~ '^''(params|source_window)'','), ', '), ''), ''),
    coalesce((select string_agg(format(' || jsonb_build_object(%s)', x), '') from unnest(parts) x where x ~ '^''(params|source_window)'','), ''));
  return o;
end $$;

-- The door of all trigger functions below, and of the backfill.
create function dlq.capture_attached(attached integer, key text[], p jsonb, wkb bytea, g geometry) returns dlq.captured
language plpgsql security definer set search_path = dlq, public, pg_temp as $$
declare
  done dlq.captured := dlq.capture(p, wkb, g);
begin
  insert into dlq.attached_row (attached_id, entry_id, key, marks_carried) values (attached, done.entry_id, $2, true) on conflict do nothing;
  return done;
end $$;

-- What the writer's role computed for generated columns in the trigger before.
create function dlq.take_generated() returns jsonb language plpgsql as $$
declare
  given text := coalesce(current_setting('dlq.generated', true), '');
begin
  perform set_config('dlq.generated', '', true);
  return nullif(given, '')::jsonb;
end $$;

-- Which state a row's marks stand for; null where its word is none of ours.
create function dlq.state_of_status(status text) returns text language sql immutable as $$
  select case lower(status) when 'pending' then 'open' when 'open' then 'open' when 'quarantined' then 'quarantined'
    when 'replayed' then 'resolved' when 'resolved' then 'resolved' end
$$;

-- Names of triggers begin with zz: the team's own before triggers come first.
create function dlq.attached_trigger(attached integer, what text) returns text language sql immutable as $$
  select case what when 'generated' then 'zy' else 'zz' end || '_dead_letters_' || attached || '_' || what
$$;

-- The relation of an attachment, whatever it is called by now; null when it is gone.
create function dlq.attached_relation(attached integer) returns regclass language sql stable as $$
  select t.tgrelid::regclass from pg_trigger t
  where t.tgname = dlq.attached_trigger(attached, 'capture') and not t.tgisinternal and t.tgparentid = 0 limit 1
$$;

-- The statements that put a table under capture, in order.
create function dlq.attach_statements(a dlq.attached_table) returns text[] language plpgsql stable set search_path = dlq, public, pg_temp as $statements$
declare
  reading dlq.attached_reading := dlq.read_attached(a, 'before');
  relation text := format('%I.%I', a.schema_name, a.table_name);
  generated text;
  resolved text := a.mapping -> 'resolved_at' ->> 0;
  redriven text := a.mapping -> 'redriven_at' ->> 0;
  status text := a.mapping -> 'status' ->> 0;
  counter text := coalesce(a.mapping -> 'attempts' ->> 0, a.mapping -> 'failed_at' ->> 0);
  not_counted text := case when counter is not null then format(' and new.%1$I is not distinct from old.%1$I', counter) end;
  marks text := '';
  done text[] := '{}';
begin
  -- by the catalog's own text, every name qualified; runs with the rights of whoever writes the row
  perform set_config('search_path', 'pg_catalog', true);
  select string_agg(format('%L, format(''%%s'', %s)', c.attname, pg_get_expr(d.adbin, d.adrelid)), ', ') into generated
    from pg_attribute c join pg_attrdef d on d.adrelid = c.attrelid and d.adnum = c.attnum
    where c.attrelid = a.table_oid and c.attgenerated <> '' and not c.attisdropped
      and (c.attname = any (a.row_key) or c.attname in (select jsonb_array_elements_text(m.value) from jsonb_each(a.mapping) m));
  perform set_config('search_path', 'dlq, public, pg_temp', true);
  if generated is not null then
    done := done || format($f$create function dlq.%I() returns trigger language plpgsql as $body$
begin
  perform set_config('dlq.generated', (select pg_catalog.jsonb_build_object(%s)::text from (select new.*) r), true);
  return new;
end $body$$f$, 'generated_of_' || a.id, generated)
      || format('create trigger %I before insert on %s for each row execute function dlq.%I()', dlq.attached_trigger(a.id, 'generated'), relation, 'generated_of_' || a.id);
  end if;
  done := done || format($f$create function dlq.%I() returns trigger language plpgsql security definer set search_path = dlq, public, pg_temp as $body$%s
begin
  perform dlq.capture_attached(%s, %s,
    %s
      || jsonb_strip_nulls(jsonb_build_object('queue', dlq.queue_of(%L), 'code_version', coalesce(%s, nullif(current_setting('dlq.code_version', true), '')))),
    %s, %s);
  return new;
exception
  when serialization_failure or deadlock_detected then raise;
  when others then
    raise warning 'a dead letter of %% was not captured: %%', tg_relid::regclass, sqlerrm;
    return new;
end $body$$f$, 'capture_of_' || a.id, case when generated is not null then E'\ndeclare\n  generated jsonb := dlq.take_generated();' else '' end,
      a.id, reading.key, reading.p, a.queue, coalesce(dlq.attached_expression(a, 'before', 'code_version'), 'null'),
      case when reading.geom = 'null::geometry' then reading.wkb else format('case when %s is null then dlq.take_refused_bytes() end', reading.geom) end, reading.geom)
    || format('create trigger %I before insert on %s for each row execute function dlq.%I()', dlq.attached_trigger(a.id, 'capture'), relation, 'capture_of_' || a.id);
  if counter is not null and a.rows_are = 'units' and (resolved is not null or status is not null) then
    done := done || format(E'create function dlq.%I() returns trigger language plpgsql as $body$\nbegin%s%s\n  return new;\nend $body$', 'reopen_of_' || a.id,
        case when resolved is not null then format(E'\n  new.%I := null;', resolved) end,
        case when status is not null then format(E'\n  if new.%1$I in (''replayed'', ''quarantined'') then new.%1$I := ''pending''; end if;', status) end)
      || format('create trigger %I before update on %s for each row when (new.%3$I > old.%3$I%4$s) execute function dlq.%5$I()',
        dlq.attached_trigger(a.id, 'reopen'), relation, counter,
        case when status is null then format(' and old.%I is not null', resolved) end, 'reopen_of_' || a.id);
  end if;
  reading := dlq.read_attached(a, 'after');
  if resolved is not null then
    marks := marks || format(E'\n  if new.%1$I is distinct from old.%1$I then\n    perform dlq.mark_by_sql(%2$s, %3$s, case when new.%1$I is null then ''open'' else ''resolved'' end, %4$L, %5$s);\n  end if;',
      resolved, reading.task_name, reading.work_key, 'by sql: ' || resolved || ' of ' || dlq.attached_via(a), dlq.attached_expression(a, 'after', 'resolved_at'));
  end if;
  if status is not null then
    marks := marks || format(E'\n  if new.%1$I is distinct from old.%1$I and dlq.state_of_status(format(''%%s'', new.%1$I)) is not null then\n    perform dlq.mark_by_sql(%2$s, %3$s, dlq.state_of_status(format(''%%s'', new.%1$I)), %4$L);\n  end if;',
      status, reading.task_name, reading.work_key, 'by sql: ' || status || ' of ' || dlq.attached_via(a));
  end if;
  if redriven is not null then
    marks := marks || format(E'\n  if new.%1$I is distinct from old.%1$I then\n    perform dlq.redriven_by_sql(%2$s, %3$s, %4$s, %5$L);\n  end if;',
      redriven, reading.task_name, reading.work_key, dlq.attached_expression(a, 'after', 'redriven_at'), 'by sql: ' || redriven || ' of ' || dlq.attached_via(a));
  end if;
  if marks <> '' then
    done := done || format(E'create function dlq.%I() returns trigger language plpgsql security definer set search_path = dlq, public, pg_temp as $body$\nbegin%s\n  return null;\nend $body$',
        'marked_of_' || a.id, marks)
      || format('create trigger %I after update of %s on %s for each row when (coalesce(current_setting(''dlq.write_back'', true), '''') <> ''on''%s) execute function dlq.%I()',
        dlq.attached_trigger(a.id, 'marked'), (select string_agg(format('%I', c), ', ') from unnest(array[resolved, status, redriven]) c where c is not null),
        relation, not_counted, 'marked_of_' || a.id);
  end if;
  return done;
end $statements$;

-- Puts a table under capture; `a` says how, its id, times and counts are made here. Locks the table against writers until the
-- transaction ends: whoever wrote before has committed, whoever writes after is captured.
create function dlq.attach(a dlq.attached_table) returns integer language plpgsql as $$
declare
  statement text;
begin
  insert into dlq.attached_table (schema_name, table_name, table_oid, rows_are, mapping, row_key, task_name, queue)
    values (a.schema_name, a.table_name, a.table_oid, a.rows_are, a.mapping, a.row_key, a.task_name, a.queue) returning * into a;
  execute format('lock table %I.%I in share row exclusive mode', a.schema_name, a.table_name);
  foreach statement in array dlq.attach_statements(a) loop
    execute statement;
  end loop;
  update dlq.attached_table x set attached_at = clock_timestamp() where x.id = a.id;
  return a.id;
end $$;

-- Takes the triggers off and forgets nothing: entries, their history and the record of the attachment stay.
create function dlq.detach(attached integer) returns void language plpgsql as $$
declare
  relation regclass := dlq.attached_relation(attached);
  what text;
begin
  foreach what in array array['generated', 'capture', 'reopen', 'marked'] loop
    if relation is not null then execute format('drop trigger if exists %I on %s', dlq.attached_trigger(attached, what), relation); end if;
    execute format('drop function if exists dlq.%I()', what || '_of_' || attached);
  end loop;
  update dlq.attached_table x set detached_at = clock_timestamp() where x.id = attached and x.detached_at is null;
end $$;

-- ` and (key) > (after)` and the order, for walking a table by its key; $1 is the key of the last row as texts.
create function dlq.attached_walk(a dlq.attached_table) returns text language sql stable as $$
  select format('($1::text[] is null or (%s) > (%s)) order by %s',
    string_agg(format('r.%I', n.name), ', ' order by n.i),
    string_agg(format('($1::text[])[%s]::%s', n.i, format_type(c.atttypid, null)), ', ' order by n.i),
    string_agg(format('r.%I', n.name), ', ' order by n.i))
  from unnest(a.row_key) with ordinality n (name, i)
  join pg_attribute c on c.attrelid = a.table_oid and c.attname = n.name
$$;

create type dlq.taken_row as (row_key text[], key text[], before integer, since integer, first_seen timestamptz, p jsonb, wkb bytea);

-- Captures the next rows that were there before the triggers; the caller commits, then calls dlq.backfill_marks. Holds no lock on
-- the team's rows. A row's counter and the captures of its trigger are read in one snapshot, and both came in one transaction
-- each: their difference is what was counted before, whatever writers do meanwhile. Takes `size` rows or the first 32 MB of them.
-- `careful` takes them one by one, so that a row that the database refuses does not fail the rest.
create function dlq.backfill_captures(attached integer, size integer, careful boolean,
  out after text[], out last text[], out rows_read integer, out rows_taken integer, out rows_known integer) language plpgsql as $$
declare
  a dlq.attached_table;
  reading dlq.attached_reading;
  mark text;
  taken dlq.taken_row[];
  entries bigint[] := '{}'; -- where a row went; null for one that was counted before or refused
  done dlq.captured;
begin
  select * into strict a from dlq.attached_table x where x.id = attached for update;
  a.table_oid := dlq.attached_relation(attached);
  if a.table_oid is null then raise exception '% is not attached any more', dlq.attached_via(a) using errcode = 'undefined_table'; end if;
  reading := dlq.read_attached(a, 'query');
  mark := format('md5(%L || array_to_string(x.row_key, E''\x1f''))::uuid', 'attached ' || a.id || ' ');
  execute format($q$
    with x as (
      select %1$s as row_key, %2$s as key, %3$s as work_key, %4$s as task_name, %5$s as p, coalesce(%6$s, ST_AsEWKB(%7$s)) as wkb,
        greatest(coalesce((%8$s)::integer, 1), 1) as attempts, %9$s as failed_at, %10$s as first_seen
      from %11$s r where %12$s limit $3
    ), y as (
      select x.*, row_number() over () as n, %13$s as capture_id,
        sum(coalesce(octet_length(x.wkb), 0) + octet_length(x.p::text)) over (rows unbounded preceding) as so_far_bytes,
        (select count(*)::integer from dlq.entry e join dlq.occurrence o on o.entry_id = e.id
          where e.idempotency_key = x.work_key and e.task_name = x.task_name and o.via = %14$L and o.capture_id <> %13$s and o.received_at >= $2) as since
      from x
    ), z as (
      select y.*, case when %15$L then 1 when %16$L then y.attempts - y.since when y.since = 0 or y.failed_at < $2 then 1 else 0 end as before,
        least(coalesce(y.failed_at, y.first_seen, $2), case when y.since > 0 then $2 else clock_timestamp() end) as moment
      from y where y.so_far_bytes <= 32000000 or y.n = 1
    )
    select count(*), (select l.row_key from z l order by l.n desc limit 1), count(*) filter (where z.before < 1),
      array_agg((z.row_key, z.key, z.before, z.since, z.first_seen,
        z.p || jsonb_build_object('capture_id', z.capture_id, 'failed_at', z.moment, 'queue', %17$L::text), z.wkb)::dlq.taken_row order by z.n) filter (where z.before >= 1)
    from z$q$,
    reading.row_key, reading.key, reading.work_key, reading.task_name, reading.p, reading.wkb, reading.geom,
    coalesce(dlq.attached_expression(a, 'query', 'attempts'), 'null'), coalesce(dlq.attached_expression(a, 'query', 'failed_at'), 'null::timestamptz'),
    coalesce(dlq.attached_expression(a, 'query', 'first_seen'), 'null::timestamptz'), dlq.attached_relation(a.id), dlq.attached_walk(a), mark,
    dlq.attached_via(a), a.rows_are = 'failures', a.mapping ? 'attempts', a.queue)
    into rows_read, last, rows_known, taken using a.backfill_after, a.attached_at, size;
  after := a.backfill_after;

  if careful then
    for i in 1 .. coalesce(cardinality(taken), 0) loop
      begin
        done := dlq.capture(taken[i].p, taken[i].wkb);
        entries[i] := case when done.outcome <> 'duplicate' then done.entry_id end;
      exception
        when serialization_failure or deadlock_detected or lock_not_available then raise;
        when others then
          entries[i] := null;
          insert into dlq.attached_skip (attached_id, row_key, reason) values (a.id, taken[i].row_key, left(sqlerrm, 300))
            on conflict (attached_id, row_key) do update set reason = excluded.reason, at = clock_timestamp();
      end;
    end loop;
  elsif taken is not null then
    select array_agg(case when c.outcome <> 'duplicate' then c.entry_id end order by c.n) into entries
    from (
      select string_agg(t.p::text, E'\n' order by t.n) as texts, string_agg(coalesce(t.wkb, ''), '' order by t.n) as bytes,
        array_agg(t.past - coalesce(octet_length(t.wkb), 0) order by t.n) as starts, array_agg(octet_length(t.wkb) order by t.n) as sizes
      from (
        select u.p, u.wkb, u.ordinality as n, (sum(coalesce(octet_length(u.wkb), 0)) over (order by u.ordinality))::integer as past
        from unnest(taken) with ordinality u
      ) t
    ) b, dlq.capture_many(b.texts, b.bytes, b.starts, b.sizes) c;
  end if;
  rows_taken := cardinality(array_remove(entries, null));
  rows_known := rows_known + coalesce(cardinality(taken), 0) - rows_taken
    - (select count(*) from unnest(taken) t join dlq.attached_skip k on k.attached_id = a.id and k.row_key = t.row_key);

  with came as (
    select e.id, min(t.key) as key, sum(t.before - 1)::integer as before, min(t.first_seen) as first_seen, bool_or(t.since > 0) as since
    from unnest(entries) with ordinality e (id, n) join unnest(taken) with ordinality t on t.ordinality = e.n where e.id is not null group by e.id
  ), counted as (
    update dlq.entry e set attempts = e.attempts + c.before, first_seen = least(e.first_seen, c.first_seen) from came c
    where e.id = c.id and (c.before > 0 or c.first_seen < e.first_seen)
  )
  insert into dlq.attached_row as ar (attached_id, entry_id, key, attempts_before, marks_carried)
    select a.id, c.id, c.key, c.before, false from came c order by c.id
    on conflict (attached_id, entry_id) do update set attempts_before = ar.attempts_before + excluded.attempts_before,
      marks_carried = ar.marks_carried and (select c.since from came c where c.id = ar.entry_id);
end $$;

-- Carries over what the rows up to `last` say of themselves, and moves the place of the backfill. A row that failed after it
-- was resolved is open: its table did not say so. Nothing happens where another run of the backfill was here before.
create function dlq.backfill_marks(attached integer, after text[], last text[], read integer, taken integer, known integer) returns void language plpgsql as $$
declare
  a dlq.attached_table;
  reading dlq.attached_reading;
begin
  select * into strict a from dlq.attached_table x where x.id = attached for update;
  if a.backfill_after is distinct from after then return; end if;
  a.table_oid := dlq.attached_relation(attached);
  if a.table_oid is null then raise exception '% is not attached any more', dlq.attached_via(a) using errcode = 'undefined_table'; end if;
  reading := dlq.read_attached(a, 'query');
  perform set_config('dlq.actor', 'attach:' || dlq.attached_via(a), true), set_config('dlq.reason', 'the mark that its row brought along', true);
  execute format($q$
    with row_marks as materialized (
      select %1$s as work_key, %2$s as task_name, %3$s as resolved_at, %4$s as redriven_at, %5$s as status
      from %6$s r where %7$s limit $3
    ), chosen as (
      select distinct on (e.id) e.id, m.redriven_at,
        case when m.resolved_at is not null then case when m.resolved_at >= e.failed_at then 'resolved' else 'open' end
          else coalesce(dlq.state_of_status(m.status), 'open') end as state,
        coalesce(m.resolved_at, e.failed_at) as resolved_at
      from row_marks m join dlq.entry e on e.idempotency_key = m.work_key and e.task_name = m.task_name
      join dlq.attached_row ar on ar.attached_id = $2 and ar.entry_id = e.id and not ar.marks_carried
      order by e.id, m.resolved_at desc nulls last
    ), locked as (
      select c.* from chosen c join dlq.state s on s.entry_id = c.id order by c.id for update of s
    ), marked as (
      update dlq.state s set state = l.state, version = s.version + 1, redriven_at = coalesce(s.redriven_at, l.redriven_at),
        resolution = case when l.state = 'resolved' then 'fixed' end, resolved_at = case when l.state = 'resolved' then l.resolved_at end
      from locked l where s.entry_id = l.id and s.state = 'open' and (l.state <> 'open' or l.redriven_at is not null)
    )
    update dlq.attached_row ar set marks_carried = true from locked l where ar.attached_id = $2 and ar.entry_id = l.id$q$,
    reading.work_key, reading.task_name,
    coalesce(dlq.attached_expression(a, 'query', 'resolved_at'), 'null::timestamptz'),
    coalesce(dlq.attached_expression(a, 'query', 'redriven_at'), 'null::timestamptz'),
    coalesce(dlq.attached_expression(a, 'query', 'status'), 'null::text'), dlq.attached_relation(a.id), dlq.attached_walk(a))
    using a.backfill_after, a.id, read;
  update dlq.attached_table x set backfill_after = last, rows_read = x.rows_read + read, rows_taken = x.rows_taken + taken, rows_known = x.rows_known + known
    where x.id = attached;
end $$;

-- The table against what is known of it, row by row, in one snapshot.
create function dlq.compare_attached(attached integer, out rows bigint, out with_entry bigint, out skipped bigint, out missing bigint, out entries bigint)
language plpgsql stable as $$
declare
  a dlq.attached_table;
  reading dlq.attached_reading;
begin
  select * into strict a from dlq.attached_table x where x.id = attached;
  a.table_oid := dlq.attached_relation(attached);
  if a.table_oid is null then raise exception '% is not attached any more', dlq.attached_via(a) using errcode = 'undefined_table'; end if;
  reading := dlq.read_attached(a, 'query');
  execute format($q$
    select count(*), count(k.key), count(s.row_key) filter (where k.key is null), count(*) filter (where k.key is null and s.row_key is null)
    from (select %s as key, %s as row_key from %s r) t
    left join (select distinct ar.key from dlq.attached_row ar where ar.attached_id = $1) k on k.key = t.key
    left join dlq.attached_skip s on s.attached_id = $1 and s.row_key = t.row_key$q$, reading.key, reading.row_key, dlq.attached_relation(a.id))
    into rows, with_entry, skipped, missing using a.id;
  select count(*) into entries from dlq.attached_row ar where ar.attached_id = a.id;
end $$;

-- What the next rows would become; nothing is written. Classes and states are counted, problems named, and the first rows shown.
create function dlq.preview_attached(a dlq.attached_table, after text[], size integer, shown integer, out last text[], out rows_read integer, out counts jsonb, out sample jsonb)
language plpgsql stable as $$
declare
  reading dlq.attached_reading := dlq.read_attached(a, 'query');
begin
  execute format($q$
    with x as materialized (
      select %1$s as row_key, %2$s as work_key, %3$s as task_name, %4$s as p, %5$s as wkb, %6$s as geom, (%7$s)::integer as attempts,
        %8$s as resolved_at, %9$s as failed_at, %10$s as status, %14$s as no_moment
      from %11$s r where %12$s limit $2
    ), y as materialized (
      select x.*, coalesce(nullif(x.p ->> 'failure_class', ''), dlq.classify(x.p ->> 'error_type', x.p ->> 'error_text')) as failure_class,
        case when x.resolved_at is not null then case when x.resolved_at >= x.failed_at or x.failed_at is null then 'resolved' else 'open' end
          else coalesce(dlq.state_of_status(x.status), 'open') end as state,
        array_remove(array[
          case when x.resolved_at < x.failed_at then 'failed again after it was resolved: it comes in as open' end,
          case when x.status is not null and dlq.state_of_status(x.status) is null then 'its status is none of pending, replayed, quarantined: it comes in as open' end,
          case when x.wkb is not null then 'PostGIS cannot read its bytes; they are kept: ' || (dlq.geometry_of(x.wkb)).error end,
          case when x.p ? 'params_text' and dlq.jsonb_of(x.p ->> 'params_text') is null then 'its params are no JSON that the database can hold: kept as bytes' end,
          case when x.failed_at > clock_timestamp() then 'failed in the future: its clock is taken as now' end,
          case when x.no_moment then 'says no moment at which it failed: %15$s' end,
          case when x.attempts < 1 then 'counts no attempt: it comes in with one' end
        ], null) as problems
      from x
    )
    select (select y.row_key from y order by %13$s limit 1), (select count(*)::integer from y), jsonb_build_object(
        'failure_class', (select jsonb_object_agg(c.k, c.n) from (select failure_class as k, count(*) as n from y group by 1) c),
        'state', (select jsonb_object_agg(c.k, c.n) from (select state as k, count(*) as n from y group by 1) c),
        'attempts', (select jsonb_build_object('sum', coalesce(sum(greatest(coalesce(y.attempts, 1), 1)), 0)) from y),
        'problem', (select jsonb_object_agg(c.k, c.n) from (select pr as k, count(*) as n from y, unnest(y.problems) pr group by 1) c)),
      (select jsonb_agg(jsonb_build_object('work_key', left(s.work_key, 200), 'task_name', s.task_name, 'failure_class', s.failure_class, 'state', s.state,
        'attempts', greatest(coalesce(s.attempts, 1), 1), 'failed_at', s.failed_at, 'geometry', case when s.geom is null and s.wkb is null then null
          else coalesce(GeometryType(s.geom), octet_length(s.wkb) || ' bytes') end, 'src_crs', s.p ->> 'src_crs', 'problems', to_jsonb(s.problems)))
        from (select * from y limit $3) s)$q$,
    reading.row_key, reading.work_key, reading.task_name, reading.p, reading.wkb, reading.geom, coalesce(dlq.attached_expression(a, 'query', 'attempts'), 'null'),
    coalesce(dlq.attached_expression(a, 'query', 'resolved_at'), 'null::timestamptz'), coalesce(dlq.attached_expression(a, 'query', 'failed_at'), 'null::timestamptz'),
    coalesce(dlq.attached_expression(a, 'query', 'status'), 'null::text'), format('%I.%I', a.schema_name, a.table_name), dlq.attached_walk(a),
    (select string_agg(format('(y.row_key)[%s]::%s desc', n.i, format_type(c.atttypid, null)), ', ' order by n.i)
      from unnest(a.row_key) with ordinality n (name, i) join pg_attribute c on c.attrelid = a.table_oid and c.attname = n.name),
    -- as the backfill takes it
    case when a.mapping ? 'failed_at' then format('%s is null', dlq.attached_expression(a, 'query', 'failed_at')) else 'false' end,
    case when a.mapping ? 'first_seen' then 'that of its first failure is taken, where it has one, else that of attaching' else 'that of attaching is taken' end)
    into last, rows_read, counts, sample using after, size, shown;
end $$;

-- Writes the marks of entries into the attached tables that have columns for them; null means all entries. A status that is none
-- of our words is never overwritten. A table that refuses does not stop the others.
create function dlq.write_back_attached(entry_ids bigint[]) returns integer language plpgsql as $$
declare
  a dlq.attached_table;
  relation regclass;
  sets text[];
  differs text[];
  field text;
  name text;
  base text;
  value text;
  n integer;
  total integer := 0;
begin
  for a in select * from dlq.attached_table x where x.detached_at is null and x.mapping ?| array['resolved_at', 'redriven_at', 'status'] order by x.id loop
    relation := dlq.attached_relation(a.id);
    continue when relation is null;
    sets := '{}'; differs := '{}';
    begin
      foreach field in array array['resolved_at', 'redriven_at', 'status'] loop
        name := a.mapping -> field ->> 0;
        continue when name is null;
        select format_type(c.atttypid, null) into base from pg_attribute c where c.attrelid = relation and c.attname = name;
        value := case when field = 'status' then format('case when dlq.state_of_status(format(''%%s'', t.%1$I)) is distinct from m.word then m.status else format(''%%s'', t.%1$I) end::%2$s', name, base)
          when base = 'timestamp with time zone' then 'm.' || field
          else format('(m.%s at time zone ''UTC'')::%s', field, base) end;
        sets := sets || format('%I = %s', name, value);
        differs := differs || case when field = 'status'
          then format('(dlq.state_of_status(format(''%%s'', t.%1$I)) is not null and dlq.state_of_status(format(''%%s'', t.%1$I)) is distinct from m.word)', name)
          else format('t.%I is distinct from %s', name, value) end;
      end loop;
      execute format($q$
        with marks as (
          select r.key, s.resolved_at, s.redriven_at,
            case when s.state = 'open' then 'pending' when s.state = 'quarantined' or s.resolution in ('abandoned', 'withdrawn') then 'quarantined' else 'replayed' end as status,
            case when s.state = 'open' then 'open' when s.state = 'quarantined' or s.resolution in ('abandoned', 'withdrawn') then 'quarantined' else 'resolved' end as word
          from dlq.attached_row r join dlq.state s on s.entry_id = r.entry_id
          where r.attached_id = $1 and r.marks_carried and ($2 is null or r.entry_id = any ($2))
        )
        update %s t set %s from marks m where %s and (%s)$q$, relation, array_to_string(sets, ', '),
        (select string_agg(format('t.%I = nullif(m.key[%s], '''')::%s', k.name, k.i, format_type(c.atttypid, null)), ' and ')
          from jsonb_array_elements_text(a.mapping -> 'work_key') with ordinality k (name, i)
          join pg_attribute c on c.attrelid = relation and c.attname = k.name),
        array_to_string(differs, ' or '))
        using a.id, case when a.write_back_error is null then entry_ids end;
      get diagnostics n = row_count;
      total := total + n;
      if a.write_back_error is not null then update dlq.attached_table x set write_back_error = null where x.id = a.id; end if;
    exception
      when serialization_failure or deadlock_detected or lock_not_available then raise;
      when others then
        update dlq.attached_table x set write_back_error = left(sqlerrm, 300) where x.id = a.id and x.write_back_error is distinct from left(sqlerrm, 300);
    end;
  end loop;
  return total;
end $$;

-- A team's own redriven_at: they sent the entry by themselves. Its state is theirs to tell by resolved_at; that it was sent is kept.
create function dlq.redriven_by_sql(task text, key text, at timestamptz, why text) returns void
language plpgsql security definer set search_path = dlq, public, pg_temp as $$
declare
  s dlq.state;
begin
  for s in select x.* from dlq.state x join dlq.entry e on e.id = x.entry_id
      where e.idempotency_key = key and e.task_name = task and x.redriven_at is distinct from at and x.state not in ('redriving', 'redriven', 'in_doubt') for update of x loop
    update dlq.state x set redriven_at = at, version = x.version + 1 where x.entry_id = s.entry_id;
    insert into dlq.event (entry_id, from_state, to_state, actor, reason, version) values (s.entry_id, s.state, s.state, dlq.actor(), why, s.version + 1);
  end loop;
end $$;
