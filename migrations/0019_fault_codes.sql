-- The kinds of an entry's faults, to filter and count by: `faults` itself can be megabytes a row, and lies out of line.

-- Each code once, what makes the geometry fail first, then in the order of the list. Total: an element that is no fault counts
-- for nothing, and a code too long for an index is left out.
create function dlq.fault_codes_of(faults jsonb) returns text[] language sql immutable parallel safe as $$
  select array_agg(code order by fails desc, place)
  from (select code, bool_or(severity = 'fails') as fails, min(n) as place
    from (select f.value ->> 'code' as code, coalesce(f.value ->> 'severity', '') as severity, n
      from jsonb_array_elements(case when jsonb_typeof(faults) = 'array' then faults else '[]' end) with ordinality f(value, n)
      where jsonb_typeof(f.value) = 'object' and jsonb_typeof(f.value -> 'code') = 'string') x
    where length(code) between 1 and 100
    group by code order by fails desc, place limit 64) y
$$;

-- Null where there are none; null too in a row that was diagnosed before these columns were, until it is diagnosed again.
alter table dlq.diagnosis add column fault_codes text[], add column fault_count integer;

create function dlq.note_fault_codes() returns trigger language plpgsql as $$
begin
  new.fault_codes := dlq.fault_codes_of(new.faults);
  new.fault_count := case when new.fault_codes is not null then jsonb_array_length(new.faults) end;
  return new;
end $$;
-- a capture inserts a row without faults: it pays for the condition only
create trigger note_fault_codes before insert on dlq.diagnosis for each row when (new.faults <> '[]') execute function dlq.note_fault_codes();
create trigger renote_fault_codes before update of faults on dlq.diagnosis for each row
  when (new.faults <> '[]' or new.fault_codes is not null) execute function dlq.note_fault_codes();

-- The first finds the entries of a rare code; the second counts the codes of many entries without reading the wide rows.
create index diagnosis_fault on dlq.diagnosis using gin (fault_codes) where fault_codes is not null and diagnosed_at is not null;
create index diagnosis_fault_of on dlq.diagnosis (entry_id) include (fault_codes) where fault_codes is not null and diagnosed_at is not null;

-- The entries of a run; most writers of one queue send the same few.
create index entry_run on dlq.entry (run_id text_pattern_ops) where run_id is not null;

-- Where PROJ puts lon,lat points (lon1, lat1, lon2, lat2 …) in a CRS; null for a point that has no place there, and none at all
-- where PROJ cannot read the CRS. Two tries each: after certain failed projections PROJ fails the next good point once.
create function dlq.project_degrees(points double precision[], target_srid integer, target_text text) returns double precision[]
language plpgsql stable parallel safe set client_min_messages = error as $$
declare
  placed geometry;
  result double precision[] := '{}';
begin
  -- what PROJ cannot read costs 0.2 s each time it is tried
  if target_srid is null and (target_text is null or dlq.crs_text_error(target_text) is not null) then return result; end if;
  for i in 1..cardinality(points) / 2 loop
    placed := null;
    for try in 1..2 loop
      begin
        placed := ST_SetSRID(ST_MakePoint(points[2 * i - 1], points[2 * i]), 4326);
        if target_srid is null then placed := ST_Transform(placed, target_text);
        elsif target_srid <> 4326 then placed := ST_Transform(placed, target_srid); end if;
        exit;
      exception when others then
        placed := null;
      end;
    end loop;
    result := result || ST_X(placed) || ST_Y(placed);
  end loop;
  return result;
end $$;

-- Some vertices of a geometry (x1, y1, x2, y2 …), spread over its parts and along each, without taking it apart: of a million
-- vertices in 20 ms, where a dump of them takes a second. At most about `most`; null for none, and for a type without vertices to number.
create function dlq.some_vertices(g geometry, most integer) returns double precision[]
language plpgsql immutable parallel safe set client_min_messages = error as $$
declare
  parts constant integer := ST_NumGeometries(g);
  line geometry;
  n integer;
  part geometry;
  result double precision[];
begin
  if g is null or ST_IsEmpty(g) then return null; end if;
  if GeometryType(g) like any (array['MULTI%', 'GEOMETRYCOLLECTION%', 'TIN%', 'POLYHEDRALSURFACE%', 'COMPOUNDCURVE%']) then
    for i in 1..least(parts, most) loop
      part := ST_GeometryN(g, 1 + ((i - 1)::bigint * (parts - 1) / greatest(1, least(parts, most) - 1))::integer);
      result := result || dlq.some_vertices(part, greatest(1, most / parts));
    end loop;
    return result;
  end if;
  if GeometryType(g) like 'POINT%' then return array[ST_X(g), ST_Y(g)]; end if;
  line := case when ST_Dimension(g) = 2 then ST_ExteriorRing(g) else g end;
  n := ST_NPoints(line);
  for i in 1..least(n, most) loop
    part := ST_PointN(line, 1 + ((i - 1)::bigint * (n - 1) / greatest(1, least(n, most) - 1))::integer);
    result := result || ST_X(part) || ST_Y(part);
  end loop;
  return result;
exception when others then
  return null;
end $$;

-- A geometry read as if it were in another CRS, its axes exchanged first and then multiplied by their signs: what a candidate
-- would look like on the map. Drawn whole up to `most` vertices, else simplified to a two-thousandth of its size, else as the
-- outline of its extent. Never raises: `error` says why there is nothing to draw.
create function dlq.ghost(g geometry, source_srid integer, source_text text, swapped boolean, x_sign integer, y_sign integer, most integer,
  out geom geometry, out shown text, out error text)
language plpgsql stable parallel safe set client_min_messages = error as $$
declare
  flat geometry;
  size double precision;
begin
  flat := ST_SetSRID(dlq.drawable(g), 0);
  if flat is null or ST_IsEmpty(flat) then error := 'there is no geometry to draw'; return; end if;
  size := sqrt((ST_XMax(flat) - ST_XMin(flat)) ^ 2 + (ST_YMax(flat) - ST_YMin(flat)) ^ 2);
  if exists (select from ST_DumpPoints(case when ST_NPoints(flat) <= most then flat end) p
      where not (ST_X(p.geom) between -1.7e308 and 1.7e308 and ST_Y(p.geom) between -1.7e308 and 1.7e308))
    or not (size between 0 and 1.7e308) then
    error := 'it has a vertex that is not a finite number'; return;
  end if;
  shown := 'whole';
  if ST_NPoints(flat) > most then
    shown := 'simplified';
    geom := ST_Simplify(flat, size / 2000, true);
    if geom is null or ST_IsEmpty(geom) or ST_NPoints(geom) > most then
      shown := 'outline';
      -- its sides are cut, since they bend in a projection
      geom := ST_Segmentize(ST_Envelope(flat), greatest(size / 64, 1e-9));
    end if;
    flat := geom;
  end if;
  geom := null;
  if swapped then flat := ST_FlipCoordinates(flat); end if;
  if x_sign < 0 or y_sign < 0 then flat := ST_Scale(flat, x_sign, y_sign); end if;
  select t.geom, t.error into geom, error from dlq.reproject(flat, source_srid, source_text) t;
  if error is null and not coalesce(ST_XMin(geom) >= -540 and ST_XMax(geom) <= 540 and ST_YMin(geom) >= -90.0000001 and ST_YMax(geom) <= 90.0000001, false) then
    error := 'it would lie outside the world';
  end if;
  if error is not null then geom := null; shown := null; end if;
exception when others then
  geom := null; shown := null; error := sqlerrm;
end $$;
