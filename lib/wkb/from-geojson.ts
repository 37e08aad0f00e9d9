import { type GeometryBytes, type GeometryTree, MAX_WRITE_DEPTH, type NotGeometry } from './geometry-tree';
import {
  GEOMETRY_COLLECTION,
  HAS_M,
  HAS_Z,
  LINE_STRING,
  MULTI_LINE_STRING,
  MULTI_POINT,
  MULTI_POLYGON,
  POINT,
  POLYGON,
  strideOf,
} from './geometry-type';
import { writeEwkb } from './write-ewkb';

const TYPES: Readonly<Record<string, number>> = {
  Point: POINT,
  LineString: LINE_STRING,
  Polygon: POLYGON,
  MultiPoint: MULTI_POINT,
  MultiLineString: MULTI_LINE_STRING,
  MultiPolygon: MULTI_POLYGON,
  GeometryCollection: GEOMETRY_COLLECTION,
};

/** Thrown inside this file only: the depth of a GeoJSON value makes error returns at every level unreadable. */
class Refusal {
  constructor(readonly error: NotGeometry) {}
}

/**
 * EWKB of a parsed GeoJSON geometry. Takes what a validator would refuse and PostGIS can store: unclosed and short
 * rings, empty arrays, Z, a fourth ordinate as M, nested collections. `null` as an ordinate is what JSON makes of NaN
 * and becomes NaN again; where positions differ in length, the missing ordinates are NaN. Never throws.
 */
export function ewkbFromGeoJson(value: unknown, srid: number | null = null): GeometryBytes {
  try {
    const dims = dimsOf(longestPosition(value, 0, '$'));
    return { bytes: writeEwkb(geometry(value, dims, '$'), srid), srid };
  } catch (thrown) {
    if (thrown instanceof Refusal) return { error: thrown.error };
    throw thrown;
  }
}

function refuse(message: string, at: string, code: NotGeometry['code'] = 'not_a_geometry'): never {
  throw new Refusal({ code, message, at });
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function named(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value.slice(0, 40)) : typeof value;
}

function dimsOf(length: number): number {
  return length >= 4 ? HAS_Z | HAS_M : length === 3 ? HAS_Z : 0;
}

/** Checks the outer shape of every geometry, its depth, and finds the longest position; 2 where there is none. */
function longestPosition(value: unknown, depth: number, at: string): number {
  if (depth > MAX_WRITE_DEPTH) refuse(`geometries nest deeper than ${MAX_WRITE_DEPTH}`, at, 'nesting_too_deep');
  if (!isRecord(value)) refuse(`${value === null ? 'null' : typeof value} is not a geometry object`, at);
  const type = typeof value.type === 'string' ? TYPES[value.type] : undefined;
  if (type === undefined || !Object.hasOwn(TYPES, value.type as string))
    refuse(`type ${named(value.type)} is not one of ${Object.keys(TYPES).join(', ')}`, at);
  if (type !== GEOMETRY_COLLECTION) return longestArray(list(value.coordinates, `${at}.coordinates`), 0);
  return list(value.geometries, `${at}.geometries`).reduce<number>(
    (longest, part, i) => Math.max(longest, longestPosition(part, depth + 1, `${at}.geometries[${i}]`)),
    2,
  );
}

function longestArray(values: unknown[], level: number): number {
  let longest = 2;
  // Four levels is the depth of a MultiPolygon; what lies deeper is refused where it is read.
  for (const value of values) {
    if (!Array.isArray(value)) return Math.max(longest, values.length);
    if (level < 3) longest = Math.max(longest, longestArray(value, level + 1));
  }
  return longest;
}

function list(value: unknown, at: string): unknown[] {
  return Array.isArray(value) ? value : refuse('an array is missing here', at);
}

function geometry(value: unknown, dims: number, at: string): GeometryTree {
  const { type: name, coordinates, geometries } = value as Record<string, unknown>;
  const type = TYPES[name as string] as number;
  const here = `${at}.coordinates`;
  if (type === POINT) {
    const coords: number[] = [];
    if (list(coordinates, here).length > 0) pushPosition(coords, coordinates, dims, here);
    return { type, dims, coords };
  }
  if (type === LINE_STRING) return { type, dims, coords: positions(coordinates, dims, here) };
  if (type === POLYGON) return { type, dims, rings: rings(coordinates, dims, here) };
  if (type === GEOMETRY_COLLECTION) {
    const parts = list(geometries, `${at}.geometries`);
    return { type, dims, parts: parts.map((part, i) => geometry(part, dims, `${at}.geometries[${i}]`)) };
  }
  const parts = list(coordinates, here).map((part, i): GeometryTree => {
    const inside = `${here}[${i}]`;
    if (type === MULTI_POINT) return geometry({ type: 'Point', coordinates: part }, dims, inside);
    if (type === MULTI_LINE_STRING) return { type: LINE_STRING, dims, coords: positions(part, dims, inside) };
    return { type: POLYGON, dims, rings: rings(part, dims, inside) };
  });
  return { type, dims, parts };
}

function rings(value: unknown, dims: number, at: string): number[][] {
  return list(value, at).map((ring, i) => positions(ring, dims, `${at}[${i}]`));
}

function positions(value: unknown, dims: number, at: string): number[] {
  const coords: number[] = [];
  list(value, at).forEach((position, i) => {
    pushPosition(coords, position, dims, `${at}[${i}]`);
  });
  return coords;
}

function pushPosition(coords: number[], value: unknown, dims: number, at: string): void {
  const position = list(value, at);
  if (position.length < 2 || position.length > 4) refuse(`a position of ${position.length} values`, at);
  for (let i = 0; i < strideOf(dims); i++) {
    const ordinate = i < position.length ? position[i] : null;
    if (ordinate !== null && typeof ordinate !== 'number') refuse(`${named(ordinate)} is not a number`, at);
    coords.push(ordinate ?? NaN);
  }
}
