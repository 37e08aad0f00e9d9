-- What the worker knows since it judges claims: where the database's PROJ puts some points of a geometry, where accepted
-- siblings of an entry lie, footprints that are right at 180° and round the poles, and which diagnoses are of an older kind.
-- dlq.locate() and what it calls stay as they are for workers of the version before.

-- The kind of rules a diagnosis was made by (lib/diagnose/ruleset.ts); 0: by those before this migration. Nothing is rewritten.
alter table dlq.diagnosis add column ruleset smallint not null default 0;
-- Coordinates hardly get smaller by compression, which took half a second for a million vertices.
alter table dlq.diagnosis alter column footprint set storage external, alter column outline set storage external;

-- How far the diagnoses of older rules have been made anew, by id: an index on them would be built under a lock, and be
-- empty for ever afterwards. One worker at a time walks, as long as its lease; a new queue has nothing to walk.
create table dlq.diagnosis_renewal (
  ruleset smallint primary key,
  after_id bigint not null default 0,
  lease_until timestamptz,
  finished_at timestamptz
);
insert into dlq.diagnosis_renewal (ruleset) select 1 where exists (select from dlq.diagnosis);

-- Entries whose claim holds, as examples for others of the same task and source: at most 32 of each, an entry always in the
-- same slot, so that one that is diagnosed again counts once. Written by the diagnosing statement only, never by a capture;
-- an index over the entries themselves would cost every capture. Sensitive entries are not among them.
create table dlq.sibling (
  sibling_key bigint not null,
  slot smallint not null,
  entry_id bigint not null,
  -- null: the entry of this slot counts no more
  crs text,
  -- false: its claim was edited, and counts where the entry was resolved as fixed
  agrees boolean not null,
  lon double precision,
  lat double precision,
  noted_at timestamptz not null default clock_timestamp(),
  primary key (sibling_key, slot)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);

-- Siblings: the same task, and the same folder of the first source where one is named.
create function dlq.sibling_key(task_name text, source_uris text[]) returns bigint language sql immutable parallel safe as $$
  select ('x' || encode(substr(sha256(convert_to(task_name || E'\n'
    || coalesce(regexp_replace(regexp_replace(source_uris[1], '[?#].*$', ''), '[^/]*$', ''), ''), 'UTF8')), 1, 8), 'hex'))::bit(64)::bigint
$$;
create function dlq.sibling_slot(entry_id bigint) returns smallint language sql immutable strict parallel safe as $$
  select (hashint8(entry_id) & 31)::smallint
$$;

-- Where PROJ puts points (x1, y1, x2, y2 …) in degrees, all at once or, where that fails, one by one; null for one that has no
-- place. `error`: PROJ's words for the first that failed.
create function dlq.place_points(points double precision[], source_srid integer, source_text text,
  out lons double precision[], out lats double precision[], out error text)
language plpgsql stable parallel safe set client_min_messages = error as $$
declare
  one geometry;
  all_points geometry;
  place record;
  lon double precision;
  lat double precision;
begin
  if points is null then return; end if;
  select ST_Collect(ST_MakePoint(points[i], points[i + 1]) order by i) into all_points from generate_series(1, cardinality(points), 2) i;
  select t.geom, t.error into all_points, error from dlq.reproject(all_points, source_srid, source_text) t;
  for i in 1..cardinality(points) / 2 loop
    if error is null then
      one := ST_GeometryN(all_points, i);
    else
      select t.geom, t.error into place from dlq.reproject(ST_MakePoint(points[2 * i - 1], points[2 * i]), source_srid, source_text) t;
      one := case when place.error is null then place.geom end;
    end if;
    lon := ST_X(one); lat := ST_Y(one);
    -- no error is not the same as right: 4326 is passed on unchanged, and far points come back as nonsense
    if lon between -540 and 540 and lat between -90.0000001 and 90.0000001 then
      lons[i] := lon - 360 * round(lon / 360); lats[i] := lat;
    else
      lons[i] := null; lats[i] := null;
    end if;
  end loop;
exception when others then
  lons := null; lats := null; error := sqlerrm;
end $$;

-- Whether PROJ's words blame the place, not the CRS.
create function dlq.is_out_of_place(error text) returns boolean language sql immutable parallel safe as $$
  select error ~* '(invalid coordinate|outside|tolerance|domain|code 4096)'
$$;

-- The vertices `first` to `last` of a line (XDR, x and y), moved by `shift`; a point where it is one.
create function dlq.piece_of(wkb bytea, first integer, last integer, shift double precision) returns geometry language sql immutable parallel safe as $$
  select ST_Translate(ST_GeomFromWKB(case when first = last then '\x0000000001'::bytea else '\x0000000002'::bytea || int4send(last - first + 1) end
    || substr(wkb, 10 + 16 * (first - 1), 16 * (last - first + 1))), shift, 0)
$$;

-- A line's longitudes without jumps: an edge goes the short way round. Edges of exactly 360° are counted apart, since they are
-- the seam of one map or an edge round the world. `turn`: how far it is from its first to its last vertex.
-- Only the jumps are looked at one by one; what lies between them is moved as bytes (a million vertices: 1 s, not 5).
create function dlq.unrolled(line geometry, out geom geometry, out turn double precision, out jumps bigint, out seams bigint)
language plpgsql immutable parallel safe as $$
declare
  n constant integer := ST_NPoints(line);
  wkb constant bytea := ST_AsBinary(line, 'XDR');
  starts integer[];
  shifts double precision[];
begin
  -- round() takes half to even: an edge of 180° stays as it is
  select array_agg(i), array_agg(shift), count(*) filter (where abs(abs(dx) - 360) > 0.0000001), count(*) filter (where abs(abs(dx) - 360) <= 0.0000001)
    into starts, shifts, jumps, seams
  from (
    select i, dx, -360 * sum(round(dx / 360)) over (order by i) as shift
    from (select row_number() over () as i, ST_X(d.geom) - lag(ST_X(d.geom)) over () as dx from ST_DumpPoints(line) d) v
    where abs(dx) > 180.0000001
  ) j;
  geom := line;
  turn := coalesce(shifts[cardinality(shifts)], 0) + ST_X(ST_EndPoint(line)) - ST_X(ST_StartPoint(line));
  if starts is null then return; end if;
  select ST_SetSRID(ST_MakeLine(array_agg(dlq.piece_of(wkb, p.start, p.next_start - 1, p.shift) order by p.start)), 4326)
    into geom
  from unnest(1 || starts, starts || (n + 1), 0::double precision || shifts) p (start, next_start, shift);
end $$;

-- All longitudes at a pole are one place: a vertex there becomes an edge along the pole, from the longitude before it to the
-- one after it, and none of the others jumps. A ring with one such vertex is turned to begin there, so that nothing has to be
-- guessed about its way round. Null where no vertex lies at a pole, or nothing else.
create function dlq.along_pole(line geometry) returns geometry language plpgsql immutable parallel safe as $$
declare
  n integer := ST_NPoints(line);
  closed boolean := ST_IsClosed(line);
  at_pole integer[];
  result geometry;
begin
  select array_agg((d.path)[1] order by (d.path)[1]) into at_pole from ST_DumpPoints(line) d
    where abs(ST_Y(d.geom)) > 89.9999999 and not (closed and (d.path)[1] = n);
  if at_pole is null or cardinality(at_pole) > 100 or cardinality(at_pole) >= n - closed::integer then return null; end if;
  if closed and at_pole[1] > 1 then
    select ST_SetSRID(ST_MakeLine(array_append(array_agg(d.geom order by ((d.path)[1] - at_pole[1] + n - 1) % (n - 1)), ST_PointN(line, at_pole[1]))), 4326)
      into line from ST_DumpPoints(line) d where (d.path)[1] < n;
  end if;
  with p as (
    select (d.path)[1] as i, ST_X(d.geom) as x, ST_Y(d.geom) as y, abs(ST_Y(d.geom)) > 89.9999999 as pole from ST_DumpPoints(line) d
  ), s as (
    select i, x, y, coalesce(x - lag(x) over (order by i), 0) as dx from p where not pole
  ), u as (
    select i, y, x - 360 * sum(round(dx / 360)) over (order by i) as x from s
  ), v as (
    select i, 0 as half, x, y from u
    union all
    select p.i, 1, (select u.x from u where u.i < p.i order by u.i desc limit 1), sign(p.y) * 90 from p where p.pole
    union all
    select p.i, 2, (select u.x from u where u.i > p.i order by u.i limit 1), sign(p.y) * 90 from p where p.pole
  )
  select ST_SetSRID(ST_MakeLine(ST_MakePoint(x, y) order by i, half), 4326) into result from v where x is not null;
  if closed and not ST_IsClosed(result) then result := ST_AddPoint(result, ST_StartPoint(result)); end if;
  return result;
end $$;

-- What lies beyond 180° (or -180°), moved to where it belongs. ST_WrapX takes a self-crossing shape as it is, but 2 s of a
-- million vertices; cutting by a box takes 0.1 s.
create function dlq.wrapped_once(g geometry, cut double precision, move double precision) returns geometry language plpgsql immutable parallel safe as $$
declare
  here geometry;
  beyond geometry;
begin
  if ST_NPoints(g) < 20000 then return ST_WrapX(g, cut, move); end if;
  here := ST_ClipByBox2D(g, ST_MakeEnvelope(least(cut, cut + 2 * move), -90.1, greatest(cut, cut + 2 * move), 90.1)::box2d);
  beyond := ST_ClipByBox2D(g, ST_MakeEnvelope(least(cut, cut - 70 * move), -90.1, greatest(cut, cut - 70 * move), 90.1)::box2d);
  return (select ST_SetSRID(ST_Collect(d.geom), 4326) from (select here as whole union all select ST_Translate(beyond, move, 0)) w, ST_Dump(w.whole) d);
end $$;

-- All longitudes within ±180, cut as often as needed.
create function dlq.wrapped(g geometry) returns geometry language plpgsql immutable parallel safe as $$
begin
  for turn in 1..64 loop
    exit when ST_XMax(g) <= 180;
    g := dlq.wrapped_once(g, 180, -360);
  end loop;
  for turn in 1..64 loop
    exit when ST_XMin(g) >= -180;
    g := dlq.wrapped_once(g, -180, 360);
  end loop;
  return g;
end $$;

-- A ring as a polygon whose longitudes do not jump. One that goes round a pole is closed along that pole's latitude.
create function dlq.unrolled_ring(ring geometry, from_plane boolean, out shape geometry, out pole integer)
language plpgsql immutable parallel safe as $$
declare
  u record;
  line geometry := ring;
  nearest integer;
  wkb bytea;
begin
  if from_plane and greatest(abs(ST_YMax(ring)), abs(ST_YMin(ring))) > 89.9999999 then
    line := dlq.along_pole(ring);
    if line is not null then shape := ST_MakePolygon(line); return; end if;
    line := ring;
  end if;
  select * into u from dlq.unrolled(line);
  if u.jumps = 0 and u.seams > 0 and ST_IsValid(ST_MakePolygon(line)) then
    -- edges from -180 to 180 in the map's own frame, round the world or along a pole
    null;
  elsif abs(u.turn) > 1 then
    pole := case when ST_YMin(ring) + ST_YMax(ring) >= 0 then 90 else -90 end;
    -- begun at the vertex nearest to the pole, whose meridian meets no other edge on its way there
    select (d.path)[1] into nearest from ST_DumpPoints(u.geom) d order by ST_Y(d.geom) * sign(pole) desc limit 1;
    if nearest between 2 and ST_NPoints(u.geom) - 1 then
      wkb := ST_AsBinary(u.geom, 'XDR');
      u.geom := ST_SetSRID(ST_MakeLine(dlq.piece_of(wkb, nearest, ST_NPoints(u.geom), 0), dlq.piece_of(wkb, 2, nearest, u.turn)), 4326);
    end if;
    line := ST_AddPoint(ST_AddPoint(ST_AddPoint(u.geom, ST_SetSRID(ST_MakePoint(ST_X(ST_EndPoint(u.geom)), pole), 4326)),
      ST_SetSRID(ST_MakePoint(ST_X(ST_StartPoint(u.geom)), pole), 4326)), ST_StartPoint(u.geom));
  elsif u.jumps > 0 or u.seams > 0 then
    line := u.geom;
    if not ST_IsClosed(line) then line := ST_AddPoint(ST_RemovePoint(line, ST_NPoints(line) - 1), ST_StartPoint(line)); end if;
  end if;
  shape := ST_MakePolygon(line);
end $$;

-- One point, line or polygon of a footprint as it lies on the globe, its longitudes within ±180.
create function dlq.part_on_globe(part geometry, from_plane boolean, out geom geometry, out crosses boolean, out pole integer)
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
    begin
      geom := ST_SymDifference(geom, other);
    exception when others then
      geom := ST_SymDifference(ST_Buffer(geom, 0), ST_Buffer(other, 0));
    end;
  end loop;
end $$;

-- A reprojected geometry as it lies on the globe. Only parts that span half the world or reach a pole are looked into.
create function dlq.on_globe(g geometry, from_plane boolean, out geom geometry, out crosses boolean, out poles integer[])
language plpgsql immutable parallel safe as $$
declare
  lowest constant double precision := ST_YMin(g);
  highest constant double precision := ST_YMax(g);
begin
  geom := g;
  crosses := false;
  if ST_XMin(g) >= -180 and ST_XMax(g) <= 180 and ST_XMax(g) - ST_XMin(g) <= 179.9
    and not (from_plane and greatest(abs(lowest), abs(highest)) > 89.9999999) then return; end if;
  if GeometryType(g) in ('POINT', 'MULTIPOINT') then geom := dlq.wrapped(g); return; end if;
  select ST_Collect(d.geom order by f.path, d.path), bool_or(f.crosses), array_agg(distinct f.pole) filter (where f.pole is not null)
    into geom, crosses, poles
  from (select s.path, p.* from ST_Dump(g) s, dlq.part_on_globe(s.geom, from_plane) p) f, ST_Dump(f.geom) d;
  if ST_NumGeometries(geom) = 1 then geom := ST_GeometryN(geom, 1); end if;
  geom := ST_SetSRID(geom, 4326);
end $$;

-- The vertices of `flat`, in source units, where its reprojected twin first crosses 180° and first lies at a pole.
create function dlq.globe_marks(flat geometry, twin geometry, out cross_x double precision, out cross_y double precision,
  out pole_x double precision, out pole_y double precision)
language sql immutable parallel safe as $$
  with v as (
    select row_number() over () as i, p.path[1 : cardinality(p.path) - 1] as run, ST_X(p.geom) as lon, ST_Y(p.geom) as lat, p.source
    from rows from (ST_DumpPoints(twin), ST_DumpPoints(flat)) as p (path, geom, source_path, source)
  ), e as (
    select i, source, lat, lon, lead(lon) over w as next_lon from v window w as (partition by run order by i)
  ), crossing as (
    select source from e where abs(next_lon - lon) > 180 and abs(abs(next_lon - lon) - 360) > 0.0000001
      or (lon - 180) * (next_lon - 180) < 0 or (lon + 180) * (next_lon + 180) < 0 order by i limit 1
  ), pole as (
    select source from e where abs(lat) > 89.9999999 order by i limit 1
  )
  select (select ST_X(source) from crossing), (select ST_Y(source) from crossing), (select ST_X(source) from pole), (select ST_Y(source) from pole)
$$;

create function dlq.fault_note(code text, x double precision, y double precision, message text) returns jsonb
language sql immutable parallel safe as $$
  select jsonb_build_array(jsonb_build_object('code', code, 'path', null, 'at', case when x is not null and y is not null then jsonb_build_array(x, y) end,
    'message', message, 'severity', 'note'))
$$;

create type dlq.placed as (
  footprint geometry,
  outline geometry,
  cell bigint,
  tile_distance_m double precision,
  notes jsonb,
  unmappable_reason text,
  error text
);

-- Where an entry lies, or why it lies nowhere; nothing at all for no geometry. The geometry must hold finite vertices only: the
-- caller has read them. `from_plane`: the source is projected, so that its edges are straight there and not in degrees.
create function dlq.locate_footprint(g geometry, source_srid integer, source_text text, from_plane boolean, tile_z integer, tile_x integer, tile_y integer)
returns dlq.placed language plpgsql stable set client_min_messages = error as $$
declare
  r dlq.placed;
  flat geometry;
  dense geometry;
  point geometry;
  globe record;
  marks record;
  closed integer[];
  pole integer;
  pole_point geometry;
  longest double precision;
  low double precision;
  high double precision;
  world constant geometry := ST_MakeEnvelope(-180, -85.05112877980659, 180, 85.05112877980659, 4326);
begin
  if g is null then return r; end if;
  r.notes := '[]';
  begin
    flat := dlq.drawable(g);
  exception when others then
    r.unmappable_reason := 'unreadable'; r.error := sqlerrm;
    return r;
  end;
  if ST_IsEmpty(flat) then r.unmappable_reason := 'empty'; return r; end if;
  select t.geom, t.error into r.footprint, r.error from dlq.reproject(flat, source_srid, source_text) t;
  if r.error is not null then
    r.footprint := null;
    r.unmappable_reason := case when dlq.is_out_of_place(r.error) then 'outside_projection'
      when source_text is not null or r.error ~* '(srid|proj)' then 'unknown_crs' else 'outside_projection' end;
    return r;
  end if;
  -- no error is not the same as right: a swapped 4326 passes unchanged, and poles and far points come back as nonsense
  if not coalesce(ST_XMin(r.footprint) >= -540 and ST_XMax(r.footprint) <= 540
      and ST_YMin(r.footprint) >= -90.0000001 and ST_YMax(r.footprint) <= 90.0000001, false) then
    r.error := format('lands at longitude %s to %s, latitude %s to %s', ST_XMin(r.footprint)::numeric(30, 4), ST_XMax(r.footprint)::numeric(30, 4),
      ST_YMin(r.footprint)::numeric(30, 4), ST_YMax(r.footprint)::numeric(30, 4));
    r.footprint := null; r.unmappable_reason := 'outside_projection';
    return r;
  end if;
  low := ST_YMin(r.footprint); high := ST_YMax(r.footprint);
  if from_plane and ST_Dimension(flat) > 0 and ST_NPoints(flat) < 5000
      and (ST_XMax(r.footprint) - ST_XMin(r.footprint) > 5 or high - low > 5 or high > 80 or low < -80) then
    -- a straight edge of the source bends in degrees, and which way round it goes is known from its middle only
    begin
      longest := sqrt((ST_XMax(flat) - ST_XMin(flat)) ^ 2 + (ST_YMax(flat) - ST_YMin(flat)) ^ 2)
        / case when high > 80 or low < -80 then 512 else 128 end;
      longest := greatest(longest, (ST_Perimeter(flat) + ST_Length(flat)) / 8000);
      if longest > 0 then
        select t.geom into dense from dlq.reproject(ST_Segmentize(flat, longest), source_srid, source_text) t;
        if not coalesce(ST_XMin(dense) >= -180 and ST_XMax(dense) <= 180 and ST_YMin(dense) >= -90.0000001 and ST_YMax(dense) <= 90.0000001, false)
          then dense := null; end if;
      end if;
    exception when others then
      dense := null;
    end;
  end if;
  if ST_XMin(r.footprint) < -180 or ST_XMax(r.footprint) > 180 or ST_XMax(r.footprint) - ST_XMin(r.footprint) > 179.9 or high > 89.9999999 or low < -89.9999999 then
    begin
      select m.* into marks from (select 1) one left join dlq.globe_marks(flat, r.footprint) m on ST_NPoints(flat) <= 200000;
      r.footprint := coalesce(dense, r.footprint);
      if not from_plane and ST_Dimension(flat) = 2 and ST_NPoints(flat) <= 200000 and (high > 89.9999999 or low < -89.9999999) then
        -- rings that are closed along a pole already
        select array_agg(p.pole) into closed from (
          select (sign(ST_Y(d.geom)) * 90)::integer as pole from ST_DumpPoints(r.footprint) d where abs(ST_Y(d.geom)) > 89.9999999
          group by 1 having max(ST_X(d.geom)) - min(ST_X(d.geom)) > 359.999) p;
      end if;
      select * into globe from dlq.on_globe(r.footprint, from_plane);
      r.footprint := case when ST_IsEmpty(globe.geom) then dlq.wrapped(r.footprint) else coalesce(globe.geom, dlq.wrapped(r.footprint)) end;
      if globe.crosses then
        r.notes := r.notes || dlq.fault_note('crosses_antimeridian', marks.cross_x, marks.cross_y, 'an edge crosses 180°: drawn split there');
      end if;
      for pole in select distinct p from unnest(globe.poles || closed) p loop
        pole_point := null;
        if from_plane then
          begin
            pole_point := case when source_srid is not null then ST_Transform(ST_SetSRID(ST_MakePoint(0, pole), 4326), source_srid)
              else ST_Transform(ST_SetSRID(ST_MakePoint(0, pole), 4326), source_text) end;
            if not coalesce(abs(ST_X(pole_point)) < 1e8 and abs(ST_Y(pole_point)) < 1e8, false) then pole_point := null; end if;
          exception when others then
            pole_point := null;
          end;
        end if;
        r.notes := r.notes || dlq.fault_note('encloses_pole', ST_X(pole_point), ST_Y(pole_point),
          format('it goes round the %s pole: drawn closed along %s°', case when pole > 0 then 'north' else 'south' end, pole));
      end loop;
      if high > 89.9999999 or low < -89.9999999 then
        r.notes := r.notes || dlq.fault_note('touches_pole', marks.pole_x, marks.pole_y,
          'a vertex lies at a pole, where all longitudes meet; a web map ends at 85.0511°');
      end if;
    exception when others then
      r.error := sqlerrm;
    end;
  elsif dense is not null then
    r.footprint := dense;
  end if;
  begin
    r.outline := ST_Transform(case when ST_YMax(r.footprint) > 85.05 or ST_YMin(r.footprint) < -85.05 then ST_ClipByBox2D(r.footprint, world::box2d)
      else r.footprint end, 3857);
    if ST_IsEmpty(r.outline) then r.outline := null; end if;
  exception when others then
    r.outline := null;
  end;
  point := dlq.point_of(r.footprint);
  r.cell := dlq.cell_of(ST_X(point), greatest(-90, least(90, ST_Y(point))));
  if r.cell is null then
    r.footprint := null; r.outline := null; r.unmappable_reason := 'outside_projection';
    r.error := coalesce(r.error, format('lands at longitude %s, latitude %s', ST_X(point)::numeric(30, 4), ST_Y(point)::numeric(30, 4)));
    return r;
  end if;
  if tile_z between 0 and 26 and tile_x between 0 and (1 << tile_z) - 1 and tile_y between 0 and (1 << tile_z) - 1 then
    r.tile_distance_m := ST_Distance(case when ST_NPoints(r.footprint) > 500 then point else r.footprint end::geography,
      -- cut into short pieces: on the sphere the side of a large tile would bulge towards the pole
      ST_Transform(ST_Segmentize(ST_TileEnvelope(tile_z, tile_x, tile_y), 40075017.0 / (1 << least(tile_z, 10)) / 16), 4326)::geography);
  end if;
  return r;
exception when others then
  r.footprint := null; r.outline := null; r.cell := null; r.unmappable_reason := coalesce(r.unmappable_reason, 'outside_projection');
  r.error := coalesce(r.error, sqlerrm);
  return r;
end $$;
