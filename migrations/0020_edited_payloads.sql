-- A person's edit of a payload is one more version of it, never a change of what was captured. What a repair would do is
-- computed by these functions; none of them raises for a geometry's sake, and a statement_timeout still ends them.

-- What a person made the current payload, and by which change: an event that leaves the state as it was.
alter table dlq.event add column payload_hash bytea, add column change text;

-- ST_MakeValid, or its reason why not. The caller has read the bytes: a ring without a point would be answered from
-- uninitialised memory, and infinity with null.
create function dlq.repaired(wkb bytea, method text, out geom geometry, out error text) language plpgsql immutable parallel safe
set client_min_messages = error as $$
begin
  geom := ST_MakeValid(encode(wkb, 'hex')::geometry, 'method=' || method);
  if geom is null then error := 'PostGIS answers nothing for it'; end if;
exception when others then
  error := sqlerrm;
end $$;

-- Area of what lies in one of both only. GEOS overlays no invalid polygon: then the source stands for what its rings
-- enclose by the even-odd rule, which is what the linework method keeps.
create function dlq.symmetric_difference_area(before geometry, after geometry, out area double precision, out source_as text, out error text)
language plpgsql immutable parallel safe set client_min_messages = error as $$
begin
  source_as := 'as_stored';
  if not ST_IsValid(before) then
    source_as := 'even_odd_fill';
    before := ST_MakeValid(before, 'method=linework');
  end if;
  area := ST_Area(ST_SymDifference(before, after));
exception when others then
  error := sqlerrm;
end $$;

-- Metres on the ellipsoid that one unit of the source CRS makes at a place, in the direction where it makes most; null where
-- the place cannot be reprojected. `step` is how far the other ends lie, in source units.
create function dlq.metres_per_unit(x double precision, y double precision, step double precision, source_srid integer, source_text text)
returns double precision language plpgsql stable set client_min_messages = error as $$
declare
  p geometry;
begin
  select t.geom into p from dlq.reproject(ST_Collect(array[ST_MakePoint(x, y), ST_MakePoint(x + step, y), ST_MakePoint(x, y + step)]),
    source_srid, source_text) t;
  if not coalesce(ST_XMin(p) >= -180 and ST_XMax(p) <= 180 and ST_YMin(p) >= -90 and ST_YMax(p) <= 90, false) then return null; end if;
  return greatest(ST_Distance(ST_GeometryN(p, 1)::geography, ST_GeometryN(p, 2)::geography),
    ST_Distance(ST_GeometryN(p, 1)::geography, ST_GeometryN(p, 3)::geography)) / step;
exception when others then
  return null;
end $$;

-- A repair where the map draws it, or why not.
create function dlq.reprojected_repair(geom geometry, source_srid integer, source_text text, out placed geometry, out error text)
language plpgsql stable set client_min_messages = error as $$
begin
  select t.geom, t.error into placed, error from dlq.reproject(dlq.drawable(geom), source_srid, source_text) t;
  if placed is not null and not coalesce(ST_XMin(placed) >= -540 and ST_XMax(placed) <= 540
      and ST_YMin(placed) >= -90.0000001 and ST_YMax(placed) <= 90.0000001, ST_IsEmpty(placed)) then
    placed := null;
    error := 'it lands outside the world';
  end if;
exception when others then
  placed := null;
  error := sqlerrm;
end $$;

-- Locks an entry, its diagnosis and its state, in the order of everyone who locks more than one, and says how it stands then:
-- each statement sees what the wait before it let through. Nothing where there is no such entry.
create function dlq.lock_editable(entry_id bigint)
returns table (state text, version bigint, payload_hash bytea, changed_by text, changed_at timestamptz)
language plpgsql set search_path = dlq, public, pg_temp as $$
begin
  perform from dlq.entry e where e.id = $1 for no key update;
  perform from dlq.diagnosis d where d.entry_id = $1 for no key update;
  perform from dlq.state s where s.entry_id = $1 for update;
  return query
    select s.state, s.version, e.payload_hash, v.actor, v.at
    from dlq.state s join dlq.entry e on e.id = s.entry_id
    left join lateral (select x.actor, x.at from dlq.event x where x.entry_id = s.entry_id order by x.id desc limit 1) v on true
    where s.entry_id = $1;
end $$;

-- Makes a stored version the entry's current payload: the diagnosis is asked for anew, the facets follow, and the event says
-- who, why and by which change. The caller holds the entry, its diagnosis and its state, in this order.
create function dlq.use_payload(entry_id bigint, payload_hash bytea, change text) returns bigint
language plpgsql set search_path = dlq, public, pg_temp as $$
declare
  e dlq.entry;
  p dlq.payload;
  d dlq.diagnosis;
  s dlq.state;
begin
  select * into strict p from dlq.payload x where x.entry_id = $1 and x.payload_hash = $2;
  update dlq.entry x set payload_hash = $2 where x.id = $1 returning * into strict e;
  update dlq.diagnosis x set diagnosed_at = null, tries = 0 where x.entry_id = $1 returning * into strict d;
  update dlq.state x set version = x.version + 1, combo = dlq.combo_of(e.queue, e.failure_class, e.error_class, e.task_name, p.src_crs, p.srid,
      e.code_version, e.signature, d.crs_verdict, case when d.payload_hash is null then 'not_diagnosed' else d.unmappable_reason end, e.sensitive)
    where x.entry_id = $1 returning * into strict s;
  insert into dlq.event (entry_id, from_state, to_state, actor, reason, version, payload_hash, change)
    values ($1, s.state, s.state, dlq.actor(), dlq.reason(), s.version, $2, $3);
  return s.version;
end $$;
