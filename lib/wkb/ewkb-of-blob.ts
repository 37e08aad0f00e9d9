import { ewkbFromGeoJson } from './from-geojson';
import { ewkbFromWkt } from './from-wkt';
import type { GeometryBytes } from './geometry-tree';

/** `text` is the WKT or GeoJSON itself; null where the geometry is kept as bytes, or is no text. */
export type BlobGeometry = { wkb: Uint8Array; text: string | null } | { error: string; text: string | null };

/** The EWKB of a geometry that is kept as bytes of a format: as they are, or made from the text of WKT or GeoJSON. */
export function ewkbOfBlob(bytes: Uint8Array, format: string | null): BlobGeometry {
  if (format !== 'wkt' && format !== 'geojson') return { wkb: bytes, text: null };
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return { error: `the text kept as ${format} is not UTF-8`, text: null };
  }
  let read: GeometryBytes;
  try {
    read = format === 'wkt' ? ewkbFromWkt(text) : ewkbFromGeoJson(JSON.parse(text));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { error: 'the text kept as geojson is not JSON', text };
  }
  if ('bytes' in read) return { wkb: read.bytes, text };
  return { error: `${read.error.message} (at ${read.error.at})`, text };
}
