-- What entries are found by beyond their columns: words of their error, params and sources of their current payload, and the
-- areas that their footprints touch.

-- The text that `q` looks in: the error's text and the traceback, of each the first and the last 1,000 characters: to
-- index a traceback of 3,000 whole took more than half of the rate of captures, and what it says lies at its ends. No word or phrase of `q`
-- holds a line break, so that none reaches from one part into the next.
create function dlq.searched_part(part text) returns text language sql immutable parallel safe as $$
  select case when octet_length(part) <= 2000 or char_length(part) <= 2000 then part else left(part, 1000) || E'\n' || right(part, 1000) end
$$;
create function dlq.searched_text(error_text text, traceback text) returns text language sql immutable parallel safe as $$
  select coalesce(dlq.searched_part(error_text), '') || E'\n' || coalesce(dlq.searched_part(traceback), '')
$$;

-- The trigram index, where the extension may be created; without it `q` reads every error, and /readyz says so. Called
-- again after the extension came: select dlq.index_text().
create function dlq.index_text() returns boolean language plpgsql as $$
declare
  home text;
begin
  begin
    create extension if not exists pg_trgm;
  exception when others then
    raise notice 'pg_trgm cannot be created (%): words are looked for without an index', sqlerrm;
  end;
  select n.nspname into home from pg_extension x join pg_namespace n on n.oid = x.extnamespace where x.extname = 'pg_trgm';
  if home is null then return false; end if;
  execute format('create index if not exists entry_text on dlq.entry using gin (dlq.searched_text(error_text, traceback) %I.gin_trgm_ops)', home);
  return true;
end $$;
select dlq.index_text();

create index payload_params on dlq.payload using gin (params jsonb_path_ops) where params is not null;

-- A source by the hashes of itself and of its beginnings up to each of its first twelve slashes: a URI can be longer than an
-- index entry, and a prefix is looked up by the folder it lies in.
create function dlq.uri_hashes(uris text[]) returns bigint[] language plpgsql immutable parallel safe as $$
begin
  return array(select hashtextextended(u, 0) from unnest(uris) u where u is not null);
end $$;
create function dlq.uri_keys(uris text[]) returns bigint[] language plpgsql immutable strict parallel safe as $$
declare
  keys bigint[] := '{}';
  uri text;
  folder text;
  slash integer;
begin
  foreach uri in array uris loop
    continue when uri is null;
    keys := keys || hashtextextended(uri, 0);
    folder := '';
    for i in 1..12 loop
      slash := position('/' in substr(uri, length(folder) + 1));
      exit when slash = 0;
      folder := left(uri, length(folder) + slash);
      keys := keys || hashtextextended(folder, 0);
    end loop;
  end loop;
  return keys;
end $$;
create index payload_sources on dlq.payload using gin (dlq.uri_keys(source_uris)) where source_uris is not null;

-- What lies inside a ring of longitudes and latitudes, split at 180°; its last vertex is joined to the first. A ring that
-- crosses itself is filled by the even-odd rule; one without area is the line that it is. The contract has counted its
-- vertices and crossings: ST_MakeValid's time grows with them.
create function dlq.area_of_ring(lons double precision[], lats double precision[]) returns geometry
language plpgsql immutable parallel safe set client_min_messages = error as $$
declare
  ring geometry;
  area geometry;
begin
  select ST_SetSRID(ST_MakeLine(ST_MakePoint(lons[(i - 1) % n + 1], lats[(i - 1) % n + 1]) order by i), 4326) into ring
    from (select cardinality(lons) as n) x, generate_series(1, n + 1) i;
  begin
    area := ST_MakeValid(ST_MakePolygon(ring));
    area := ST_CollectionExtract(area, ST_Dimension(area) + 1);
  exception when others then
    area := null;
  end;
  if area is null or ST_IsEmpty(area) then area := ring; end if;
  if ST_XMin(area) < -180 or ST_XMax(area) > 180 then
    select ST_CollectionExtract(ST_Collect(ST_Intersection(ST_Translate(area, shift, 0), ST_MakeEnvelope(-180, -90, 180, 90, 4326))),
      ST_Dimension(area) + 1) into area from unnest(array[-360, 0, 360]) shift;
  end if;
  return area;
exception when others then
  return null;
end $$;

-- The area of a country or region, whose outline was simplified and may cross itself since.
create function dlq.area_of_place(twkb bytea) returns geometry language plpgsql immutable strict parallel safe set client_min_messages = error as $$
declare
  area geometry;
begin
  area := ST_MakeValid(ST_SetSRID(ST_GeomFromTWKB(twkb), 4326));
  -- of the smallest, rounding leaves a line
  return ST_CollectionExtract(area, ST_Dimension(area) + 1);
end $$;

-- An area cut into pieces of few vertices, each with a box of its own.
create function dlq.pieces_of(area geometry) returns setof geometry language plpgsql immutable strict parallel safe rows 100 set client_min_messages = error as $$
begin
  return query select ST_Subdivide(area, 32);
exception when others then
  return next area;
end $$;

-- Whether a footprint touches an area, which is valid. Of a ring of random vertices GEOS needs 27 ms for 5,000 of them, 6 s
-- for 20,000, over 40 s for 100,000, and it may refuse what is invalid: a footprint of many vertices that nobody found valid
-- is compared edge by edge instead. Never raises.
create function dlq.touches(footprint geometry, area geometry, valid boolean) returns boolean language plpgsql immutable parallel safe as $$
begin
  if valid or ST_NPoints(footprint) <= 2000 or ST_Dimension(footprint) = 0 then
    begin
      return ST_Intersects(area, footprint);
    exception when others then
      null;
    end;
  end if;
  return exists (select from ST_DumpSegments(footprint) s where s.geom && area and ST_Intersects(area, s.geom))
    or exists (select from ST_Dump(footprint) f, ST_Dump(area) a where ST_Dimension(f.geom) = 2 and f.geom && a.geom
      and ST_Intersects(f.geom, (select p.geom from ST_DumpPoints(a.geom) p limit 1)))
    or exists (select from ST_Dump(footprint) f where ST_Dimension(f.geom) = 0 and ST_Intersects(area, f.geom));
exception when others then
  return false;
end $$;

-- Values that are suggested by their beginning, in the order of their bytes. A text can be longer than an index entry.
create index combo_task_text on dlq.combo ((left(task_name, 200) collate "C"));
create index combo_src_crs_text on dlq.combo ((left(src_crs, 200) collate "C"));
create index combo_code_version_text on dlq.combo ((left(code_version, 200) collate "C"));
create index combo_signature_text on dlq.combo ((left(signature, 200) collate "C"));
