#!/usr/bin/python3
"""Writes registry.json from PROJ's proj.db: see README.md beside this file.

usage: generate.py OUTPUT [--lattice FILE] [--unchecked] [--db FILE] [--every N]
The same proj.db, PROJ and proj4-exceptions.json give the same bytes.
"""
import argparse
import json
import math
import re
import sqlite3
import sys
import warnings
from collections import defaultdict
from functools import lru_cache
from pathlib import Path

import pyproj
from pyproj.enums import TransformDirection

AUTHORITIES = ("EPSG", "ESRI", "IGNF", "OGC")
KINDS = ["projected", "geographic_2d", "geographic_3d", "geocentric", "vertical", "compound", "other"]
AXES = {
    ("east", "north"): "east_north",
    ("north", "east"): "north_east",
    ("west", "south"): "west_south",
    ("south", "west"): "south_west",
    ("north", "west"): "north_west",
}
EARTH = {("PROJ", "EARTH"), ("IAU_2015", "399")}
GRID = 9
# Beyond, a point of the lattice lies at a singularity (a pole in Mercator), not in the area of use.
MAX_METRES = 1e8
# A forward transformation whose inverse does not come back to this many degrees is not the CRS's own domain.
ROUND_TRIP_DEGREES = 1e-3


def columns(db, sql):
    """Rows of a statement, every column named ...code as text: proj.db has numbers and words there."""
    cursor = db.execute(sql)
    codes = {index for index, column in enumerate(cursor.description) if column[0].endswith("code")}
    for row in cursor:
        yield [str(value) if index in codes and value is not None else value for index, value in enumerate(row)]


def union_of(boxes):
    """One box round several, each [west, south, east, north] with west > east across 180 degrees."""
    west, south, east, north = boxes[0]
    east += 360 if west > east else 0
    for w, s, e, n in boxes[1:]:
        e += 360 if w > e else 0
        shift = min((-360, 0, 360), key=lambda by: abs((w + e) / 2 + by - (west + east) / 2))
        west, east = min(west, w + shift), max(east, e + shift)
        south, north = min(south, s), max(north, n)
    if east - west >= 360:
        return [-180, south, 180, north]
    wrap = lambda lon: (lon + 180) % 360 - 180 if abs(lon) > 180 else lon
    return [wrap(west), south, wrap(east), north]


def areas_of(db):
    found = defaultdict(dict)
    for table, auth, code, extent, west, south, east, north, name in columns(db, """
        select u.object_table_name, u.object_auth_name, u.object_code as object_code, e.auth_name || e.code,
               e.west_lon, e.south_lat, e.east_lon, e.north_lat, e.name
        from usage u join extent e on e.auth_name = u.extent_auth_name and e.code = u.extent_code
        order by u.object_table_name, u.object_auth_name, u.object_code, e.auth_name, e.code"""):
        found[table, auth, code][extent] = (None if west is None else [west, south, east, north], name)
    areas = {}
    for key, extents in found.items():
        boxes = [box for box, _ in extents.values() if box]
        areas[key] = (union_of(boxes) if boxes else None, "; ".join(dict.fromkeys(name for _, name in extents.values())))
    return areas


def replacements_of(db):
    found = defaultdict(set)
    for table, auth, code, by_auth, by_code in columns(db, """
        select table_name, deprecated_auth_name, deprecated_code as a_code, replacement_auth_name, replacement_code as b_code
        from deprecation
        union select superseded_table_name, superseded_auth_name, superseded_code, replacement_auth_name, replacement_code
        from supersession where superseded_table_name = replacement_table_name"""):
        found[table, auth, code].add(f"{by_auth}:{by_code}")
    return {key: sorted(ids, key=id_order) for key, ids in found.items()}


def id_order(crs_id):
    auth, code = crs_id.split(":", 1)
    return (auth, 0, int(code), "") if code.isdigit() else (auth, 1, 0, code)


def systems_of(db):
    """Of each coordinate system: orientations in their order, unit of the first axis and its factor."""
    found = defaultdict(list)
    for auth, code, orientation, unit, factor in columns(db, """
        select a.coordinate_system_auth_name, a.coordinate_system_code as cs_code, a.orientation, u.name, u.conv_factor
        from axis a left join unit_of_measure u on u.auth_name = a.uom_auth_name and u.code = a.uom_code
        order by a.coordinate_system_auth_name, a.coordinate_system_code, a.coordinate_system_order"""):
        found[auth, code].append((orientation, unit, factor))
    return found


def aliases_of(db):
    found = defaultdict(list)
    for table, auth, code, name in columns(db, """
        select table_name, auth_name, code, alt_name from alias_name
        where table_name in ('geodetic_crs', 'projected_crs', 'vertical_crs', 'compound_crs')
        order by table_name, auth_name, code, alt_name"""):
        found[table, auth, code].append(name)
    return found


def squeezed(name):
    return re.sub(r"[^a-z0-9]", "", name.lower())


def kind_of(kind):
    return {"geographic 2D": "geographic_2d", "geographic 3D": "geographic_3d"}.get(kind, kind)


ROWS = """
select 'geodetic_crs' as table_name, g.auth_name, g.code, g.name, g.type, g.deprecated, g.coordinate_system_auth_name,
       g.coordinate_system_code, null as base_auth, null as base_code, null as method, e.celestial_body_auth_name,
       e.celestial_body_code
from geodetic_crs g
left join geodetic_datum d on d.auth_name = g.datum_auth_name and d.code = g.datum_code
left join ellipsoid e on e.auth_name = d.ellipsoid_auth_name and e.code = d.ellipsoid_code
union all
select 'projected_crs', p.auth_name, p.code, p.name, 'projected', p.deprecated, p.coordinate_system_auth_name,
       p.coordinate_system_code, p.geodetic_crs_auth_name, p.geodetic_crs_code, c.method_name,
       e.celestial_body_auth_name, e.celestial_body_code
from projected_crs p
left join conversion c on c.auth_name = p.conversion_auth_name and c.code = p.conversion_code
left join geodetic_crs g on g.auth_name = p.geodetic_crs_auth_name and g.code = p.geodetic_crs_code
left join geodetic_datum d on d.auth_name = g.datum_auth_name and d.code = g.datum_code
left join ellipsoid e on e.auth_name = d.ellipsoid_auth_name and e.code = d.ellipsoid_code
union all
select 'vertical_crs', auth_name, code, name, 'vertical', deprecated, coordinate_system_auth_name,
       coordinate_system_code, null, null, null, null, null
from vertical_crs
union all
select 'compound_crs', auth_name, code, name, 'compound', deprecated, null, null, horiz_crs_auth_name, horiz_crs_code,
       null, null, null
from compound_crs
"""


def proj4_text(crs, factor):
    """The PROJ text of the CRS on its own base: no datum, so no shift; the ellipsoid, prime meridian and axes kept."""
    text = crs.to_proj4()
    if not text:
        return None
    dropped = {"no_defs", "type", "wktext", "towgs84", "nadgrids", "geoidgrids", "vunits", "vto_meter", "units", "to_meter"}
    words = []
    for word in text.split():
        key, _, value = word.lstrip("+").partition("=")
        if key == "datum":
            words.append({"WGS84": "+ellps=WGS84", "NAD83": "+ellps=GRS80", "NAD27": "+ellps=clrk66"}[value])
        elif key == "pm":
            words.append(f"+pm={crs.prime_meridian.longitude * factor_of_degrees(crs.prime_meridian):.12g}")
        elif key not in dropped:
            words.append(f"+{word.lstrip('+')}")
    if crs.is_projected and factor not in (None, 1):
        words.append(f"+to_meter={factor:.15g}")
    return " ".join(words)


def factor_of_degrees(meridian):
    return math.degrees(meridian.unit_conversion_factor)


def angles_of(geographic):
    """Degrees per unit of a geographic CRS, and of its prime meridian from Greenwich."""
    meridian = geographic.prime_meridian
    return math.degrees(geographic.axis_info[0].unit_conversion_factor), meridian.longitude * factor_of_degrees(meridian)


@lru_cache(maxsize=None)
def base_crs(crs_id):
    return pyproj.CRS.from_authority(*crs_id.split(":", 1))


class Lattice:
    """The area of use as 9 x 9 points of the base geographic CRS, and where PROJ puts them in the CRS."""

    def __init__(self, base, crs, unit_m, area):
        west, south, east, north = area
        east += 360 if west > east else 0
        self.to_degrees, self.meridian = angles_of(base)
        lons = [west + (east - west) * i / (GRID - 1) for i in range(GRID) for _ in range(GRID)]
        lats = [south + (north - south) * j / (GRID - 1) for _ in range(GRID) for j in range(GRID)]
        own_lons = [wrapped(lon - self.meridian) / self.to_degrees for lon in lons]
        own_lats = [lat / self.to_degrees for lat in lats]
        transformer = pyproj.Transformer.from_crs(base, crs, always_xy=True)
        xs, ys = transformer.transform(own_lons, own_lats, errcheck=False)
        back = transformer.transform(xs, ys, direction=TransformDirection.INVERSE, errcheck=False)
        has_inverse = any(math.isfinite(lon) for lon in back[0])
        self.points = []
        for lon, lat, x, y, back_lon, back_lat in zip(lons, lats, xs, ys, *back):
            if not (math.isfinite(x) and math.isfinite(y)) or max(abs(x), abs(y)) * unit_m > MAX_METRES:
                continue
            if has_inverse:
                if not (math.isfinite(back_lon) and math.isfinite(back_lat)):
                    continue
                back_lat *= self.to_degrees
                off = wrapped(back_lon * self.to_degrees + self.meridian - lon) * math.cos(math.radians(lat))
                if max(abs(off), abs(back_lat - lat)) > ROUND_TRIP_DEGREES:
                    continue
            self.points.append((wrapped(lon), lat, x, y))

    def envelope(self, factor):
        digits = 0 if factor <= 10 else 3
        scale = 10**digits
        xs, ys = [point[2] for point in self.points], [point[3] for point in self.points]
        low = lambda value: plain(math.floor(value * scale + 1e-4) / scale)
        high = lambda value: plain(math.ceil(value * scale - 1e-4) / scale)
        return [low(min(xs)), low(min(ys)), high(max(xs)), high(max(ys))]


def wrapped(lon):
    return lon if -180 <= lon <= 180 else (lon + 180) % 360 - 180


def plain(number):
    return int(number) if float(number).is_integer() else number


def geographic_envelope(area, crs):
    to_degrees, meridian = angles_of(crs)
    west, south, east, north = area
    if east - west != 360:
        west, east = wrapped(west - meridian), wrapped(east - meridian)
    return [plain(round(value / to_degrees, 6)) for value in (west, south, east, north)]


class Dictionary:
    """Values that many rows share, each written once."""

    def __init__(self):
        self.values, self.index = [], {}

    def number(self, value):
        if value is None:
            return None
        key = json.dumps(value)
        if key not in self.index:
            self.index[key] = len(self.values)
            self.values.append(value)
        return self.index[key]


def orientation_of(axes):
    words = tuple(re.sub(r"[^a-z]", "", axis[0].lower()) for axis in axes[:2])
    return AXES.get(words, "other") if len(words) == 2 else None


def build(db, exceptions, every):
    areas, replacements, systems, aliases = areas_of(db), replacements_of(db), systems_of(db), aliases_of(db)
    dictionaries = {name: Dictionary() for name in ("areas", "axis_orders", "units", "methods")}
    rows, lattices, failed = [], {}, []
    for number, row in enumerate(columns(db, ROWS)):
        table, auth, code, name, kind, deprecated, cs_auth, cs_code, base_auth, base_code, method, body_auth, body = row
        if auth not in AUTHORITIES:
            continue
        crs_id = f"{auth}:{code}"
        kind = kind_of(kind) if body is None or (body_auth, body) in EARTH else "other"
        area, area_name = areas.get((table, auth, code), (None, None))
        axes = systems.get((cs_auth, cs_code), [])
        proj = envelope = None
        crs = None
        if kind in ("projected", "geographic_2d", "geographic_3d") and (number % every == 0 or not axes):
            crs = pyproj.CRS.from_authority(auth, code)
            if not axes:
                axes = [(axis.direction, axis.unit_name, axis.unit_conversion_factor) for axis in crs.axis_info]
                method = crs.coordinate_operation.method_name if crs.coordinate_operation else None
        if crs and number % every == 0:
            proj = proj4_text(crs, axes[0][2])
            if area and kind == "projected":
                try:
                    lattice = Lattice(base_crs(f"{base_auth}:{base_code}"), crs, axes[0][2], area)
                    if lattice.points:
                        envelope = lattice.envelope(axes[0][2])
                        lattices[crs_id] = lattice.points
                except pyproj.exceptions.ProjError as error:
                    failed.append(f"{crs_id}: {error}")
            elif area:
                envelope = geographic_envelope(area, crs)
            if exceptions is not None and kind == "projected":
                proj = exceptions.get(crs_id, proj) if crs_id in lattices else None
        unit = [axes[0][1].split(" (supplier")[0], axes[0][2]] if axes else None
        order = orientation_of(axes) if kind not in ("geocentric", "vertical") else None
        known = {squeezed(name)}
        others = [alias for alias in aliases.get((table, auth, code), [])
                  if not alias.startswith("(") and not (squeezed(alias) in known or known.add(squeezed(alias)))]
        row = [int(code) if code.isdigit() else code, name, KINDS.index(kind), int(bool(deprecated)),
               replacements.get((table, auth, code)),
               dictionaries["areas"].number([*map(plain, area or []), area_name] if area_name else None),
               dictionaries["axis_orders"].number(order), dictionaries["units"].number(unit),
               f"{base_auth}:{base_code}" if base_code else None, dictionaries["methods"].number(method),
               proj, envelope, others or None]
        while row[-1] is None:
            row.pop()
        rows.append((crs_id, row))
    rows.sort(key=lambda entry: id_order(entry[0]))
    return rows, {name: entry.values for name, entry in dictionaries.items()}, lattices, failed


def write(path, rows, dictionaries, meta):
    compact = lambda value: json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    lines = ["{", f'"meta":{compact(meta)},', f'"kinds":{compact(KINDS)},']
    for name, values in dictionaries.items():
        lines.append(f'"{name}":[\n' + ",\n".join(map(compact, values)) + "\n],")
    by_authority = defaultdict(list)
    for crs_id, row in rows:
        by_authority[crs_id.split(":")[0]].append(compact(row))
    blocks = [f'"{auth}":[\n' + ",\n".join(found) + "\n]" for auth, found in sorted(by_authority.items())]
    lines += ['"crs":{', ",\n".join(blocks), "}", "}", ""]
    Path(path).write_text("\n".join(lines), encoding="utf-8")


def main():
    options = argparse.ArgumentParser()
    options.add_argument("output")
    options.add_argument("--lattice", help="also write {id: [[lon, lat, x, y]]} for check-proj4.ts")
    options.add_argument("--unchecked", action="store_true", help="keep every PROJ text, for check-proj4.ts")
    options.add_argument("--db", default=str(Path(pyproj.datadir.get_data_dir()) / "proj.db"))
    options.add_argument("--every", type=int, default=1, help="ask PROJ about every Nth CRS only, for a quick check")
    given = options.parse_args()
    warnings.simplefilter("ignore")
    db = sqlite3.connect(f"file:{given.db}?mode=ro", uri=True)
    meta = dict(db.execute("select key, value from metadata"))
    exceptions = None if given.unchecked else json.loads(Path(__file__).with_name("proj4-exceptions.json").read_text())
    rows, dictionaries, lattices, failed = build(db, exceptions, given.every)
    write(given.output, rows, dictionaries, {
        "proj": pyproj.proj_version_str, "epsg": meta["EPSG.VERSION"], "epsg_date": meta["EPSG.DATE"],
        "esri": meta["ESRI.VERSION"], "ignf": meta["IGNF.VERSION"],
    })
    if given.lattice:
        Path(given.lattice).write_text(json.dumps(lattices))
    print(f"{len(rows)} CRSs, {len(lattices)} with a lattice, {len(failed)} without: {failed[:5]}", file=sys.stderr)


if __name__ == "__main__":
    main()
