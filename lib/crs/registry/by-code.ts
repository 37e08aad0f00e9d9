import { type CrsRecord, crsOf } from './registry';

/** Google's number from before EPSG gave one out; PostGIS keeps it in spatial_ref_sys. */
const UNOFFICIAL: Readonly<Record<string, string>> = { 'EPSG:900913': 'EPSG:3857' };

/** The record of an authority's code; an EPSG number that only Esri gave out is found there, as PROJ finds it. */
export function recordByCode(authority: string, code: string | number): CrsRecord | null {
  const id = `${authority}:${code}`;
  const found = crsOf(UNOFFICIAL[id] ?? id) ?? crsOf(id.toUpperCase());
  return found ?? (authority === 'EPSG' ? crsOf(`ESRI:${code}`) : null);
}

/** A compound CRS places x and y by its horizontal part; any other is its own. */
export function horizontalPart(record: CrsRecord): CrsRecord | null {
  return record.kind === 'compound' && record.base !== null ? crsOf(record.base) : record;
}
