import { Buffer } from 'node:buffer';
import { readFileSync } from 'node:fs';
import OlWkb from 'ol/format/WKB.js';
import type Geometry from 'ol/geom/Geometry.js';
import GeometryCollection from 'ol/geom/GeometryCollection.js';
import SimpleGeometry from 'ol/geom/SimpleGeometry.js';
import wkx from 'wkx';
import { readWkb } from '@/lib/wkb/read-wkb';

const FIXTURES = new URL('../fixtures/geometries/postgis-encodings.json', import.meta.url);
const FLAVOURS = ['ewkb_ndr', 'ewkb_xdr', 'ewkb_ndr_no_srid', 'iso_ndr', 'iso_xdr'] as const;

type Made = { name: string; type: string; points: number[][] } & Record<(typeof FLAVOURS)[number], string>;
/** What a reader made of the bytes: the type's name in capitals and every number of every vertex, in order. */
interface Read {
  type: string;
  numbers: number[];
}

/**
 * Of how many of PostGIS' own encodings (15 types, 4 dimensions, filled and empty, 5 flavours) each reader gives the same
 * type and every number. A reader that throws, or calls a Triangle a Polygon, is not right.
 */
export function countRight(): { own: number; wkx: number; ol: number; all: number } {
  const encodings = JSON.parse(readFileSync(FIXTURES, 'utf8')) as Made[];
  const right = { own: 0, wkx: 0, ol: 0, all: 0 };
  for (const made of encodings)
    for (const flavour of FLAVOURS) {
      const bytes = Buffer.from(made[flavour], 'hex');
      right.all += 1;
      if (isRight(made, () => byOwn(bytes))) right.own += 1;
      if (isRight(made, () => byWkx(bytes))) right.wkx += 1;
      if (isRight(made, () => byOl(bytes))) right.ol += 1;
    }
  return right;
}

/** The format that OpenLayers reads bytes with. */
export const olFormat = new OlWkb();

function isRight({ type, points }: Made, read: () => Read): boolean {
  const wanted = points.flat();
  try {
    const found = read();
    return (
      found.type === type &&
      found.numbers.length === wanted.length &&
      found.numbers.every((value, i) => Object.is(value, wanted[i]))
    );
  } catch {
    return false;
  }
}

function byOwn(bytes: Uint8Array): Read {
  const { type_name, coords, error } = readWkb(bytes);
  if (error) throw new Error(error.message);
  return { type: String(type_name).toUpperCase(), numbers: [...coords] };
}

function byWkx(bytes: Buffer): Read {
  const geometry = wkx.Geometry.parse(bytes);
  const type = geometry.toWkt().split(/[ (]/)[0] ?? '';
  return { type, numbers: wkxNumbers(geometry) };
}

/** wkx keeps vertices as points with x, y, z and m in lists of several names. */
function wkxNumbers(value: unknown): number[] {
  if (Array.isArray(value)) return value.flatMap(wkxNumbers);
  if (value === null || typeof value !== 'object') return [];
  const { x, y, z, m } = value as Record<string, unknown>;
  if (typeof x === 'number') return [x, y, z, m].filter((one) => typeof one === 'number');
  return Object.values(value).flatMap(wkxNumbers);
}

function byOl(bytes: Uint8Array): Read {
  const geometry = olFormat.readGeometry(bytes) as Geometry;
  return { type: geometry.getType().toUpperCase(), numbers: olNumbers(geometry) };
}

function olNumbers(geometry: Geometry): number[] {
  if (geometry instanceof GeometryCollection) return geometry.getGeometriesArray().flatMap(olNumbers);
  return geometry instanceof SimpleGeometry ? (geometry.getFlatCoordinates() ?? []) : [];
}
