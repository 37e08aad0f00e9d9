-- What tiles and the triage answer need beyond the tables.

-- A timestamp that no calendar holds ("infinity", which a writer may send) leaves as its own word, not as null.
create or replace function dlq.iso(t timestamptz) returns text language sql stable strict parallel safe as $$
  select case when isfinite(t) then to_char(t at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') else t::text end
$$;

-- A latitude next to zero (1e-320 comes out of broken arithmetic) raised "underflow" in radians().
create or replace function dlq.cell_of(lon double precision, lat double precision) returns bigint
language plpgsql immutable strict parallel safe as $$
declare
  y double precision;
begin
  if not (lon between -180 and 180 and lat between -90 and 90) then return null; end if;
  y := case when abs(lat) < 1e-12 then 0 else greatest(-85.05112877980659, least(85.05112877980659, lat)) end;
  return dlq.spread_bits(least(67108863, floor((lon + 180) / 360 * 67108864)::bigint))
    | (dlq.spread_bits(least(67108863, greatest(0, floor((0.5 - ln(tan(pi() / 4 + radians(y) / 2)) / (2 * pi())) * 67108864)::bigint))) << 1);
end $$;

-- When a signature was first seen is one probe of this index, whatever the number of its entries.
create index entry_signature_first_seen on dlq.entry (signature, first_seen);
drop index dlq.entry_signature;

-- A geometry of EPSG:3857 in the units of a tile (4,096, buffer 64), or null: it never raises, so that one bad row never
-- empties a tile. A polygon that vanishes (a bow-tie of no area, a sliver) leaves its rings as lines.
create function dlq.mvt_geometry(g geometry, bounds geometry) returns geometry
language plpgsql immutable parallel safe set client_min_messages = error as $$
declare
  shape geometry;
begin
  begin
    shape := ST_AsMVTGeom(g, bounds::box2d, 4096, 64, true);
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
