/** Names of the WKB geometry codes 1–17; index 0 is no geometry (the parts table uses it for a ring). */
export const GEOMETRY_TYPE_NAMES = [
  'Ring',
  'Point',
  'LineString',
  'Polygon',
  'MultiPoint',
  'MultiLineString',
  'MultiPolygon',
  'GeometryCollection',
  'CircularString',
  'CompoundCurve',
  'CurvePolygon',
  'MultiCurve',
  'MultiSurface',
  'Curve',
  'Surface',
  'PolyhedralSurface',
  'Tin',
  'Triangle',
] as const;

export type GeometryTypeName = (typeof GEOMETRY_TYPE_NAMES)[number];

export const RING = 0;
export const POINT = 1;
export const LINE_STRING = 2;
export const POLYGON = 3;
export const MULTI_POINT = 4;
export const MULTI_LINE_STRING = 5;
export const MULTI_POLYGON = 6;
export const GEOMETRY_COLLECTION = 7;
export const CIRCULAR_STRING = 8;
export const COMPOUND_CURVE = 9;
export const CURVE_POLYGON = 10;
export const MULTI_CURVE = 11;
export const MULTI_SURFACE = 12;
/** 13 and 14 are abstract in ISO; old PostGIS wrote CurvePolygon and MultiCurve with them, and PostGIS reads them so. */
export const CURVE = 13;
export const SURFACE = 14;
export const POLYHEDRAL_SURFACE = 15;
export const TIN = 16;
export const TRIANGLE = 17;

export const HAS_Z = 1;
export const HAS_M = 2;

/** Doubles per vertex for a combination of HAS_Z and HAS_M. */
export function strideOf(dims: number): number {
  return 2 + (dims & HAS_Z) + ((dims & HAS_M) >> 1);
}

const LINES = [LINE_STRING, CIRCULAR_STRING, COMPOUND_CURVE];
const ALLOWED_PARTS: ReadonlyMap<number, readonly number[]> = new Map([
  [MULTI_POINT, [POINT]],
  [MULTI_LINE_STRING, [LINE_STRING]],
  [MULTI_POLYGON, [POLYGON]],
  [COMPOUND_CURVE, [LINE_STRING, CIRCULAR_STRING]],
  [CURVE_POLYGON, LINES],
  [CURVE, LINES],
  [MULTI_CURVE, LINES],
  [SURFACE, LINES],
  [MULTI_SURFACE, [POLYGON, CURVE_POLYGON, CURVE]],
  [POLYHEDRAL_SURFACE, [POLYGON]],
  [TIN, [TRIANGLE]],
]);

/** Whether a geometry of type `parent` may hold a part of type `part`; PostGIS refuses the others. */
export function mayHold(parent: number, part: number): boolean {
  return ALLOWED_PARTS.get(parent)?.includes(part) ?? true;
}

export function isCurveType(type: number): boolean {
  return type >= CIRCULAR_STRING && type <= SURFACE;
}

const SRID_FLAG = 0x20000000;

/**
 * Decodes the uint32 after the byte order. EWKB flags and ISO thousands are both understood, also together.
 * Returns type + dims·32 + (128 when an SRID follows), or −1 for a type that is none of 1–17.
 */
export function decodeTypeWord(word: number): number {
  const base = word & 0x1fffffff;
  const thousands = Math.trunc(base / 1000);
  const type = base % 1000;
  if (thousands > 3 || type < POINT || type > TRIANGLE) return -1;
  let dims = thousands;
  if (word & 0x80000000) dims |= HAS_Z;
  if (word & 0x40000000) dims |= HAS_M;
  return type + dims * 32 + (word & SRID_FLAG ? 128 : 0);
}

/** The type word of EWKB, the inverse of `decodeTypeWord` for the flavour PostGIS writes. */
export function encodeEwkbTypeWord(type: number, dims: number, has_srid: boolean): number {
  return (type | (dims & HAS_Z ? 0x80000000 : 0) | (dims & HAS_M ? 0x40000000 : 0) | (has_srid ? SRID_FLAG : 0)) >>> 0;
}
