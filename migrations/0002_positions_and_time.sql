-- ISO 8601 in UTC with microseconds: how every timestamp leaves the database.
create function dlq.iso(t timestamptz) returns text language sql stable strict parallel safe as $$
  select to_char(t at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
$$;

-- A position is a z-order cell at zoom 26 of web mercator: 26 bits each of x and y interleaved, so that every tile is one
-- contiguous range and every coarser grid is a shift. 52 bits fit a double exactly.
-- PostgreSQL gives | & << >> one precedence: the parentheses below are not decoration.
create function dlq.spread_bits(v bigint) returns bigint language sql immutable strict parallel safe as $$
  select (e | (e << 1)) & 6148914691236517205
  from (select (d | (d << 2)) & 3689348814741910323 as e
  from (select (c | (c << 4)) & 1085102592571150095 as d
  from (select (b | (b << 8)) & 71777214294589695 as c
  from (select (v | (v << 16)) & 281470681808895 as b) b1) c1) d1) e1
$$;

create function dlq.gather_bits(v bigint) returns bigint language sql immutable strict parallel safe as $$
  select (e | (e >> 16)) & 4294967295
  from (select (d | (d >> 8)) & 281470681808895 as e
  from (select (c | (c >> 4)) & 71777214294589695 as d
  from (select (b | (b >> 2)) & 1085102592571150095 as c
  from (select (a | (a >> 1)) & 3689348814741910323 as b
  from (select v & 6148914691236517205 as a) a1) b1) c1) d1) e1
$$;

-- lon and lat in degrees; latitudes past the mercator square lie on its edge. Null for anything not finite or out of range.
create function dlq.cell_of(lon double precision, lat double precision) returns bigint
language plpgsql immutable strict parallel safe as $$
declare
  y double precision;
begin
  if not (lon between -180 and 180 and lat between -90 and 90) then return null; end if;
  y := greatest(-85.05112877980659, least(85.05112877980659, lat));
  return dlq.spread_bits(least(67108863, floor((lon + 180) / 360 * 67108864)::bigint))
    | (dlq.spread_bits(least(67108863, greatest(0, floor((0.5 - ln(tan(pi() / 4 + radians(y) / 2)) / (2 * pi())) * 67108864)::bigint))) << 1);
end $$;

-- The centre of a cell, in degrees.
create function dlq.cell_lon(cell bigint) returns double precision language sql immutable strict parallel safe as $$
  select (dlq.gather_bits(cell) + 0.5) / 67108864 * 360 - 180
$$;
create function dlq.cell_lat(cell bigint) returns double precision language sql immutable strict parallel safe as $$
  select degrees(atan(sinh(pi() * (1 - 2 * (dlq.gather_bits(cell >> 1) + 0.5) / 67108864))))
$$;

-- The first cell of tile z/x/y; the tile's cells are [first, first + 4^(26-z)).
create function dlq.tile_first_cell(z integer, x integer, y integer) returns bigint language sql immutable strict parallel safe as $$
  select (dlq.spread_bits(x::bigint) | (dlq.spread_bits(y::bigint) << 1)) << (2 * (26 - z))
$$;

-- The one function through which every surface takes an entry's position: a viewer sees the public cell, others the true one.
create function dlq.position_for(role text, cell bigint, public_cell bigint) returns bigint language sql immutable parallel safe as $$
  select case when role in ('operator', 'admin') then cell else public_cell end
$$;

-- The position that a viewer may see. A sensitive entry has none.
create function dlq.public_cell_of(cell bigint, sensitive boolean) returns bigint language sql immutable parallel safe as $$
  select case when sensitive then null else cell end
$$;
