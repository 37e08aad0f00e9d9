-- GEOS and PostGIS's simplification take no notice of a statement_timeout while they run, and need seconds to hours for shapes
-- that nobody draws on purpose: a ring of random vertices crosses itself n²/6 times. What runs on geometries that nobody has
-- validated is bounded here by counting first. Measured with PostGIS 3.3.2 on random rings and zigzags: ST_AsMVTGeom 300
-- vertices 1 s, 1,000 over 40 s; ST_WrapX 100 vertices 1 s, 600 over 20 s; ST_SymDifference 300 vertices 9 s; ST_Simplify
-- of a fading zigzag 60,000 vertices 12 s, 300,000 over 40 s.

-- The first fault that GEOS finds. Null where it has no opinion (surfaces, curves that cannot be made lines, very many arcs).
create or replace function dlq.validity(g geometry, out valid boolean, out reason text, out at_x double precision, out at_y double precision)
language plpgsql immutable parallel safe set client_min_messages = error as $$
declare
  detail valid_detail;
begin
  -- each arc becomes up to 128 edges: 12 s for 50,000 of them
  if ST_NPoints(g) > 30000 and ST_HasArc(g) then reason := 'it has too many arcs to be checked'; return; end if;
  detail := ST_IsValidDetail(g);
  valid := detail.valid;
  reason := detail.reason;
  if detail.location is not null and not ST_IsEmpty(detail.location) then
    at_x := nullif(nullif(nullif(ST_X(detail.location), 'NaN'), 'Infinity'), '-Infinity');
    at_y := nullif(nullif(nullif(ST_Y(detail.location), 'NaN'), 'Infinity'), '-Infinity');
  end if;
exception when others then
  reason := sqlerrm;
end $$;

-- Points, lines, polygons and collections of them, in two dimensions: what a map can draw. Of very many arcs each is drawn coarser.
create or replace function dlq.drawable(g geometry) returns geometry language plpgsql immutable parallel safe as $$
declare
  flat geometry := ST_Force2D(g);
begin
  if ST_HasArc(flat) or GeometryType(flat) in ('CURVEPOLYGON', 'COMPOUNDCURVE', 'MULTICURVE', 'MULTISURFACE') then
    flat := ST_CurveToLine(flat, greatest(1, least(32, 1000000 / ST_NPoints(flat))));
  end if;
  if GeometryType(flat) in ('POLYHEDRALSURFACE', 'TIN', 'TRIANGLE') then
    select ST_Collect(ST_MakePolygon(ST_ExteriorRing(d.geom))) into flat from ST_Dump(flat) d;
  end if;
  return flat;
end $$;

-- Whether GEOS may overlay a polygon: it has few vertices, or it does not cross itself.
create function dlq.is_tame(g geometry) returns boolean language sql immutable parallel safe set client_min_messages = error as $$
  select case when ST_NPoints(g) <= 50 then true else coalesce((dlq.validity(g)).valid, false) end
$$;

-- What lies beyond `cut`, moved; what crosses it, split there. ST_ClipByBox2D is linear.
create or replace function dlq.wrapped_once(g geometry, cut double precision, move double precision) returns geometry language plpgsql immutable parallel safe as $$
declare
  whole geometry := g;
  here geometry;
  beyond geometry;
begin
  if ST_NPoints(g) <= 50 or ST_NPoints(g) < 20000 and (GeometryType(g) in ('POINT', 'MULTIPOINT')
    or GeometryType(g) in ('POLYGON', 'MULTIPOLYGON') and dlq.is_tame(g)) then return ST_WrapX(g, cut, move); end if;
  for try in 1..2 loop
    here := ST_ClipByBox2D(whole, ST_MakeEnvelope(least(cut, cut + 2 * move), -90.1, greatest(cut, cut + 2 * move), 90.1)::box2d);
    beyond := ST_ClipByBox2D(whole, ST_MakeEnvelope(least(cut, cut - 70 * move), -90.1, greatest(cut, cut - 70 * move), 90.1)::box2d);
    exit when GeometryType(g) not in ('POLYGON', 'MULTIPOLYGON') or abs(ST_Area(here) + ST_Area(beyond) - ST_Area(g)) <= 0.000001 * ST_Area(g);
    -- rings that cross each other where they are cut close along the wrong side of the box: they are drawn as lines
    whole := ST_Boundary(g);
  end loop;
  return (select ST_SetSRID(ST_Collect(d.geom), 4326) from (select here as whole union all select ST_Translate(beyond, move, 0)) w, ST_Dump(w.whole) d);
end $$;

-- As before, in time that grows with the vertices alone (200,000 with 90 of them at the pole: 1 s instead of over 20).
create or replace function dlq.along_pole(line geometry) returns geometry language plpgsql immutable parallel safe as $$
declare
  n integer := ST_NPoints(line);
  closed boolean := ST_IsClosed(line);
  poles integer[];
  result geometry;
begin
  select array_agg((d.path)[1] order by (d.path)[1]) into poles from ST_DumpPoints(line) d
    where abs(ST_Y(d.geom)) > 89.9999999 and not (closed and (d.path)[1] = n);
  if poles is null or cardinality(poles) > 100 or cardinality(poles) >= n - closed::integer then return null; end if;
  if closed and poles[1] > 1 then
    select ST_SetSRID(ST_MakeLine(array_append(array_agg(d.geom order by ((d.path)[1] - poles[1] + n - 1) % (n - 1)), ST_PointN(line, poles[1]))), 4326)
      into line from ST_DumpPoints(line) d where (d.path)[1] < n;
  end if;
  with p as (
    select (d.path)[1] as i, ST_X(d.geom) as x, ST_Y(d.geom) as y, abs(ST_Y(d.geom)) > 89.9999999 as pole from ST_DumpPoints(line) d
  ), s as (
    select i, x, y, coalesce(x - lag(x) over (order by i), 0) as dx from p where not pole
  ), u as (
    select i, y, x - 360 * sum(round(dx / 360)) over (order by i) as x, row_number() over (order by i) as n from s
  ), at_pole as (
    -- n: how many vertices away from the pole come before it
    select i, y, count(*) filter (where not pole) over (order by i) as n, pole from p
  ), v as (
    select i, 0 as half, x, y from u
    union all
    select p.i, 1, u.x, sign(p.y) * 90 from at_pole p join u on u.n = p.n where p.pole
    union all
    select p.i, 2, u.x, sign(p.y) * 90 from at_pole p join u on u.n = p.n + 1 where p.pole
  )
  select ST_SetSRID(ST_MakeLine(ST_MakePoint(x, y) order by i, half), 4326) into result from v where x is not null;
  if closed and not ST_IsClosed(result) then result := ST_AddPoint(result, ST_StartPoint(result)); end if;
  return result;
end $$;

-- One point, line or polygon of a footprint as it lies on the globe, its longitudes within ±180.
create or replace function dlq.part_on_globe(part geometry, from_plane boolean, out geom geometry, out crosses boolean, out pole integer)
language plpgsql immutable parallel safe set client_min_messages = error as $$
declare
  near_pole constant boolean := greatest(abs(ST_YMax(part)), abs(ST_YMin(part))) > 89.9999999;
  wide constant boolean := ST_XMax(part) - ST_XMin(part) > 179.9;
  shifted geometry;
  holes geometry[] := '{}';
  cut_out geometry[] := '{}';
  other geometry;
  shell record;
  ring record;
  u record;
begin
  crosses := false;
  geom := part;
  if ST_Dimension(part) = 0 or not (wide or near_pole and from_plane) then
    null;
  elsif wide and ST_XMin(part) > -180 and ST_XMax(part) < 180 and not (near_pole and from_plane) then
    shifted := ST_ShiftLongitude(part);
  end if;
  if shifted is not null and ST_XMax(shifted) - ST_XMin(shifted) < 180 then
    -- all of it on the far side of the world: no vertex is near enough to Greenwich to be torn off
    geom := shifted;
  elsif ST_Dimension(part) = 1 and (wide or near_pole and from_plane) then
    shifted := case when near_pole and from_plane then dlq.along_pole(part) end;
    if shifted is not null then
      geom := shifted;
    else
      select * into u from dlq.unrolled(part);
      if (u.jumps > 0 or u.seams > 0) and ST_XMax(u.geom) - ST_XMin(u.geom) > 0.000001 then geom := u.geom; end if;
    end if;
  elsif ST_Dimension(part) = 2 and (wide or near_pole and from_plane) then
    select * into shell from dlq.unrolled_ring(ST_ExteriorRing(part), from_plane);
    pole := shell.pole;
    for ring in select h.shape, h.pole from generate_series(1, ST_NumInteriorRings(part)) i, dlq.unrolled_ring(ST_InteriorRingN(part, i), from_plane) h loop
      if ring.pole is null then
        ring.shape := ST_Translate(ring.shape, 360 * ceil((ST_XMin(shell.shape) - (ST_XMin(ring.shape) + ST_XMax(ring.shape)) / 2) / 360), 0);
      end if;
      if ring.pole is null and (shell.pole is null or ST_XMin(ring.shape) > ST_XMin(shell.shape) and ST_XMax(ring.shape) < ST_XMax(shell.shape)) then
        holes := holes || ST_ExteriorRing(ring.shape);
      else
        -- round a pole, or over the meridian where the shell's way round it begins
        cut_out := cut_out || dlq.wrapped(ring.shape);
        if ring.pole = pole then pole := null; end if;
      end if;
    end loop;
    geom := case when cardinality(holes) = 0 then shell.shape else ST_MakePolygon(ST_ExteriorRing(shell.shape), holes) end;
  end if;
  crosses := ST_Dimension(geom) > 0 and (ST_XMin(geom) < 179.999999 and ST_XMax(geom) > 180.000001
    or ST_XMin(geom) < -180.000001 and ST_XMax(geom) > -179.999999);
  geom := dlq.wrapped(geom);
  -- of two rings round a pole it is what lies between, whichever is called the shell
  foreach other in array cut_out loop
    -- of what crosses itself, the whole is drawn: GEOS would have to find every crossing
    continue when not (dlq.is_tame(geom) and dlq.is_tame(other));
    begin
      geom := ST_SymDifference(geom, other);
    exception when others then
      geom := ST_SymDifference(ST_Buffer(geom, 0), ST_Buffer(other, 0));
    end;
  end loop;
end $$;

-- A geometry of EPSG:3857 in the units of a tile (4,096, buffer 64), or null: it never raises, so that one bad row never
-- empties a tile. A polygon that vanishes (a bow-tie of no area, a sliver) leaves its rings as lines, and so does one that
-- crosses itself where nobody has counted how often.
create function dlq.mvt_geometry(g geometry, bounds geometry, few_crossings boolean) returns geometry
language plpgsql immutable parallel safe set client_min_messages = error as $$
declare
  shape geometry;
begin
  begin
    if ST_Dimension(g) < 2 or few_crossings or dlq.is_tame(g) then shape := ST_AsMVTGeom(g, bounds::box2d, 4096, 64, true); end if;
  exception when others then
    shape := null;
  end;
  if (shape is null or ST_IsEmpty(shape)) and ST_Dimension(g) = 2 then
    shape := ST_AsMVTGeom(ST_Boundary(g), bounds::box2d, 4096, 64, true);
  end if;
  -- a vertex that is not finite passes ST_AsMVTGeom as NaN or as -2147483648
  if shape is null or ST_IsEmpty(shape)
    or not coalesce(ST_XMin(shape) >= -64 and ST_XMax(shape) <= 4160 and ST_YMin(shape) >= -64 and ST_YMax(shape) <= 4160, false)
    or ST_AsText(shape) ~* '(nan|inf)' then
    return null;
  end if;
  return shape;
exception when others then
  return null;
end $$;

create or replace function dlq.mvt_geometry(g geometry, bounds geometry) returns geometry language sql immutable parallel safe as $$
  select dlq.mvt_geometry(g, bounds, false)
$$;

-- Whether the faults that a diagnosis lists are all there are and so few that a polygon may be filled in spite of them. One
-- that was cut at 180° or closed at a pole is another shape than the one they were counted in.
create function dlq.few_crossings(faults jsonb, ruleset smallint) returns boolean language sql immutable parallel safe as $$
  select ruleset > 0 and jsonb_array_length(faults) <= 20
    and not jsonb_path_exists(faults, '$[*] ? (@.code == "capped" || @.code == "crosses_antimeridian" || @.code == "encloses_pole" || @.code == "touches_pole")')
$$;

-- A geometry read as if it were in another CRS, its axes exchanged first and then multiplied by their signs: what a candidate
-- would look like on the map. Drawn whole up to `most` vertices, else simplified to a two-thousandth of its size, else as the
-- outline of its extent. Never raises: `error` says why there is nothing to draw.
create or replace function dlq.ghost(g geometry, source_srid integer, source_text text, swapped boolean, x_sign integer, y_sign integer, most integer,
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
    -- ST_Simplify's time grows with the square of what it keeps: 0.4 s for 10,000
    if ST_Dimension(flat) > 0 then geom := ST_RemoveRepeatedPoints(flat, size / 2000); end if;
    if ST_NPoints(geom) <= 10000 then geom := ST_Simplify(geom, size / 2000, true); end if;
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
