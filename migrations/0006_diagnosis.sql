-- What the worker computes from the evidence. Findings are data: none of these functions raises for a geometry's sake.

-- The first fault that GEOS finds. Null where it has no opinion (surfaces, curves that cannot be made lines).
create function dlq.validity(g geometry, out valid boolean, out reason text, out at_x double precision, out at_y double precision)
language plpgsql immutable parallel safe set client_min_messages = error as $$
declare
  detail valid_detail;
begin
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

-- Points, lines, polygons and collections of them, in two dimensions: what a map can draw.
create function dlq.drawable(g geometry) returns geometry language plpgsql immutable parallel safe as $$
declare
  flat geometry := ST_Force2D(g);
begin
  if ST_HasArc(flat) or GeometryType(flat) in ('CURVEPOLYGON', 'COMPOUNDCURVE', 'MULTICURVE', 'MULTISURFACE') then
    flat := ST_CurveToLine(flat);
  end if;
  if GeometryType(flat) in ('POLYHEDRALSURFACE', 'TIN', 'TRIANGLE') then
    select ST_Collect(ST_MakePolygon(ST_ExteriorRing(d.geom))) into flat from ST_Dump(flat) d;
  end if;
  return flat;
end $$;

-- One try and one retry: after certain failed projections PROJ fails the next good row once ("Unknown error (code 4096)").
create function dlq.reproject(g geometry, source_srid integer, source_text text, out geom geometry, out error text)
language plpgsql stable parallel safe set client_min_messages = error as $$
begin
  for try in 1..2 loop
    begin
      error := null;
      geom := case
        when source_srid = 4326 then ST_SetSRID(g, 4326)
        when source_srid is not null then ST_Transform(ST_SetSRID(g, source_srid), 4326)
        else ST_Transform(ST_SetSRID(g, 0), source_text, 4326) end;
      return;
    exception when others then
      error := sqlerrm;
    end;
  end loop;
end $$;

-- Why PROJ cannot read a text as a CRS, in its words; null when it can. What only fails for a place is not the text's fault.
create function dlq.crs_text_error(source_text text) returns text language plpgsql stable set client_min_messages = error as $$
begin
  perform ST_Transform(ST_MakePoint(0, 0), source_text, 4326);
  return null;
exception when others then
  return case when sqlerrm ~* '(invalid coordinate|outside|tolerance|domain|code 4096)' then null else sqlerrm end;
end $$;

-- Longitudes within ±180: an edge that jumps over more than half the world goes the short way, over 180°.
create function dlq.wrap_longitudes(g geometry, out geom geometry, out crosses boolean) language plpgsql immutable parallel safe as $$
begin
  crosses := false;
  geom := g;
  if ST_XMax(g) - ST_XMin(g) > 180 and ST_Dimension(g) > 0 then
    crosses := exists (select 1 from ST_DumpSegments(g) s
      where abs(ST_X(ST_EndPoint(s.geom)) - ST_X(ST_StartPoint(s.geom))) between 180.000001 and 359.999);
    if crosses then geom := ST_ShiftLongitude(geom); end if;
  end if;
  if ST_XMax(geom) > 180 then geom := ST_WrapX(geom, 180, -360); crosses := crosses or ST_Dimension(g) > 0; end if;
  if ST_XMin(geom) < -180 then geom := ST_WrapX(geom, -180, 360); crosses := crosses or ST_Dimension(g) > 0; end if;
end $$;

-- A point of the geometry itself, so that a part beyond 180° does not pull it into another ocean.
create function dlq.point_of(g geometry) returns geometry language plpgsql immutable parallel safe set client_min_messages = error as $$
declare
  p geometry;
begin
  begin
    if GeometryType(g) = 'POINT' then return g; end if;
    p := ST_PointOnSurface(g);
  exception when others then
    p := null;
  end;
  if p is null or ST_IsEmpty(p) then select d.geom into p from ST_DumpPoints(g) d limit 1; end if;
  return p;
end $$;

create type dlq.located as (
  footprint geometry,
  outline geometry,
  cell bigint,
  tile_distance_m double precision,
  crosses_antimeridian boolean,
  unmappable_reason text,
  error text
);

-- Where an entry lies, or why it lies nowhere; nothing at all for no geometry. The geometry must hold finite vertices only: the caller has read them.
create function dlq.locate(g geometry, source_srid integer, source_text text, tile_z integer, tile_x integer, tile_y integer)
returns dlq.located language plpgsql stable set client_min_messages = error as $$
declare
  r dlq.located;
  flat geometry;
  point geometry;
  world constant geometry := ST_MakeEnvelope(-180, -85.05112877980659, 180, 85.05112877980659, 4326);
begin
  if g is null then return r; end if;
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
    r.unmappable_reason := case when r.error ~* '(invalid coordinate|outside|tolerance|domain)' then 'outside_projection'
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
  begin
    select w.geom, w.crosses into r.footprint, r.crosses_antimeridian from dlq.wrap_longitudes(r.footprint) w;
  exception when others then
    r.error := sqlerrm;
  end;
  begin
    r.outline := ST_Transform(case when ST_YMax(r.footprint) > 85.05 or ST_YMin(r.footprint) < -85.05 then ST_ClipByBox2D(r.footprint, world::box2d)
      else r.footprint end, 3857);
  exception when others then
    r.outline := null;
  end;
  point := dlq.point_of(r.footprint);
  r.cell := dlq.cell_of(ST_X(point), ST_Y(point));
  if r.cell is null then
    r.footprint := null; r.outline := null; r.unmappable_reason := 'outside_projection';
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

-- GEOS's words for a fault as one of the product's codes.
create function dlq.fault_code(reason text) returns text language sql immutable parallel safe as $$
  select case
    when reason ~* '^ring self-?intersection' then 'ring_self_touch'
    when reason ~* '^self-?intersection' then 'self_intersection'
    when reason ~* 'hole lies outside' then 'hole_outside_shell'
    when reason ~* 'nested holes|holes are nested' then 'nested_holes'
    when reason ~* 'nested shells' then 'nested_shells'
    when reason ~* 'duplicate rings' then 'duplicate_rings'
    when reason ~* 'interior is disconnected' then 'interior_disconnected'
    when reason ~* 'too few points' then 'too_few_points'
    when reason ~* 'invalid coordinate' then 'non_finite_vertex'
    when reason ~* 'closed' then 'unclosed_ring' end
$$;
