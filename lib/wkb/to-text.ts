import { Buffer } from 'node:buffer';
import wkx from 'wkx';
import { GEOMETRY_COLLECTION, GEOMETRY_TYPE_NAMES, RING } from './geometry-type';
import { COUNT, PART_COLUMNS, TYPE } from './parts-table';
import { readWkb } from './read-wkb';
import { isStructurallySound, type WkbReading } from './reading';

export type GeometryText = { text: string; note: string | null } | { reason: string };

export interface TextOptions {
  /** wkx takes about 300 bytes and 1 µs a vertex; larger geometries give a reason. */
  max_vertices?: number;
}

const MAX_VERTICES = 1_000_000;

/** WKT (without SRID) of EWKB or ISO WKB, or the reason why there is none. Server only; never throws. */
export function wktFromWkb(bytes: Uint8Array, options: TextOptions = {}): GeometryText {
  const reading = readWkb(bytes);
  const reason = whyNoText(reading, options);
  if (reason) return { reason };
  const note = hasNonFinite(reading) ? 'NaN and Infinity are written as words, which PostGIS does not read back' : null;
  return written(() => parsed(bytes).toWkt(), note);
}

/** GeoJSON text of EWKB or ISO WKB in its own coordinates, or the reason why there is none. Server only; never throws. */
export function geoJsonFromWkb(bytes: Uint8Array, options: TextOptions = {}): GeometryText {
  const reading = readWkb(bytes);
  const reason = whyNoText(reading, options);
  if (reason) return { reason };
  if (hasNonFinite(reading)) return { reason: 'GeoJSON has no NaN and no Infinity' };
  const note = reading.has_m ? 'GeoJSON has no M: the M values are left out' : null;
  return written(() => JSON.stringify(parsed(bytes).toGeoJSON()), note);
}

function parsed(bytes: Uint8Array): wkx.Geometry {
  return wkx.Geometry.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
}

function whyNoText(reading: WkbReading, { max_vertices = MAX_VERTICES }: TextOptions): string | null {
  if (reading.error) return `${reading.error.message} at byte ${reading.error.offset}`;
  if (!isStructurallySound(reading)) return reading.findings.find(isStructural)?.message ?? 'the bytes are not sound';
  // wkx masks the type and reads a Triangle as a Point, so no part of another type may reach it.
  const other = otherType(reading);
  if (other) return `there is no text for ${other}`;
  if (hasEmptyRing(reading)) return 'a ring has no vertices';
  if (reading.vertex_count > max_vertices) return `more than ${max_vertices} vertices`;
  return null;
}

/** wkx writes a polygon whose only ring is empty as POLYGON EMPTY, and so would drop the ring. */
function hasEmptyRing({ parts, part_count }: WkbReading): boolean {
  for (let at = 0; at < part_count * PART_COLUMNS; at += PART_COLUMNS)
    if (parts[at + TYPE] === RING && parts[at + COUNT] === 0) return true;
  return false;
}

function otherType({ parts, part_count }: WkbReading): string | null {
  for (let row = 0; row < part_count; row++) {
    const type = parts[row * PART_COLUMNS + TYPE] as number;
    if (type > GEOMETRY_COLLECTION) return GEOMETRY_TYPE_NAMES[type] ?? null;
  }
  return null;
}

function isStructural(finding: WkbReading['findings'][number]): boolean {
  return finding.code === 'unknown_type' || finding.code === 'trailing_bytes';
}

function hasNonFinite(reading: WkbReading): boolean {
  return (reading.finding_counts.non_finite_vertex ?? 0) > 0;
}

function written(write: () => string, note: string | null): GeometryText {
  try {
    return { text: write(), note };
  } catch (thrown) {
    return { reason: thrown instanceof Error ? thrown.message : String(thrown) };
  }
}
