import { type RegistryFile, registryFile } from './registry-file';

export type CrsKind =
  | 'projected'
  | 'geographic_2d'
  | 'geographic_3d'
  | 'geocentric'
  | 'vertical'
  | 'compound'
  /** Of another body than the Earth. */
  | 'other';

/** Degrees or the CRS's own units; in degrees west > east crosses 180°. */
export type Bbox = [west: number, south: number, east: number, north: number];

export type AxisOrder = 'east_north' | 'north_east' | 'west_south' | 'south_west' | 'north_west' | 'other';

/** What the registry knows of one CRS. Written by generate.py, which says where each fact comes from. */
export interface CrsRecord {
  /** Authority and code: 'EPSG:27700'. */
  id: string;
  name: string;
  kind: CrsKind;
  deprecated: boolean;
  /** Ids of the CRSs that took its place. */
  replacements: string[];
  /** Area of use in degrees from Greenwich. */
  area: Bbox | null;
  area_name: string | null;
  /** As the registry defines them: a hypothesis about data, never a verdict. */
  axis_order: AxisOrder | null;
  unit: string | null;
  /** Metres per unit, or radians per unit of an angle. */
  unit_factor: number | null;
  /** Of a projected CRS the id of its geographic one, of a compound CRS that of its horizontal part. */
  base: string | null;
  /** Name of the projection method. */
  method: string | null;
  /**
   * For proj4, called with `enforceAxis`: no datum shift, the base's ellipsoid and prime meridian, `+axis` where
   * PROJ's x,y are not east, north. Of a projected CRS only where proj4 and PROJ agree (50 m on the area of use). That
   * of a geographic CRS takes degrees whatever its unit.
   */
  proj: string | null;
  /**
   * Area of use in its own units, x,y as PostGIS stores them. A geographic one that crosses 180° has west > east, and
   * counts from its own prime meridian.
   */
  envelope: Bbox | null;
}

interface Registry {
  all: readonly CrsRecord[];
  by_id: ReadonlyMap<string, CrsRecord>;
  aliases: ReadonlyMap<string, readonly string[]>;
}

let loaded: Registry | null = null;

/** Reads the 2.4 MB of data at the first question. For the server only. */
function registry(): Registry {
  loaded ??= read(registryFile());
  return loaded;
}

/** The record of an id such as `EPSG:27700`, or null. */
export function crsOf(id: string): CrsRecord | null {
  return registry().by_id.get(id) ?? null;
}

/** All records, by authority and then by number. */
export function allCrs(): readonly CrsRecord[] {
  return registry().all;
}

/** Other names of a CRS, Esri's among them. */
export function aliasesOf(id: string): readonly string[] {
  return registry().aliases.get(id) ?? [];
}

function read(file: RegistryFile): Registry {
  const all: CrsRecord[] = [];
  const by_id = new Map<string, CrsRecord>();
  const aliases = new Map<string, readonly string[]>();
  for (const [authority, rows] of Object.entries(file.crs))
    for (const row of rows) {
      const [code, name, kind, deprecated, replacements, area, axis_order, unit, base, method, proj, envelope, others] =
        row;
      const place = at(file.areas, area);
      const record: CrsRecord = {
        id: `${authority}:${code}`,
        name,
        kind: file.kinds[kind] as CrsKind,
        deprecated: deprecated === 1,
        replacements: replacements ?? [],
        area: place && place.length === 5 ? [place[0], place[1], place[2], place[3]] : null,
        area_name: place?.at(-1)?.toString() ?? null,
        axis_order: at(file.axis_orders, axis_order),
        unit: at(file.units, unit)?.[0] ?? null,
        unit_factor: at(file.units, unit)?.[1] ?? null,
        base: base ?? null,
        method: at(file.methods, method),
        proj: proj ?? null,
        envelope: envelope ?? null,
      };
      all.push(record);
      by_id.set(record.id, record);
      if (others) aliases.set(record.id, others);
    }
  return { all, by_id, aliases };
}

function at<T>(values: readonly T[], index: number | null | undefined): T | null {
  return index === null || index === undefined ? null : (values[index] ?? null);
}
