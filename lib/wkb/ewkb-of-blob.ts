import { ewkbFromGeoJson } from './from-geojson';
import { ewkbFromWkt } from './from-wkt';

/** The EWKB of a geometry that is kept as bytes of a format: as they are, or of the text of WKT or GeoJSON. */
export function ewkbOfBlob(bytes: Uint8Array, format: string | null): { wkb: Uint8Array } | { error: string } {
  if (format !== 'wkt' && format !== 'geojson') return { wkb: bytes };
  let value: unknown;
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    value = format === 'wkt' ? text : JSON.parse(text);
  } catch (error) {
    const what = error instanceof SyntaxError ? 'JSON' : 'UTF-8';
    return { error: `the text kept as ${format} is not ${what}` };
  }
  const read = typeof value === 'string' && format === 'wkt' ? ewkbFromWkt(value) : ewkbFromGeoJson(value);
  return 'bytes' in read ? { wkb: read.bytes } : { error: `${read.error.message} (at ${read.error.at})` };
}
