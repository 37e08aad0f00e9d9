import { type Converter, proj4Converter } from './registry/proj4-converter';
import type { CrsRecord } from './registry/registry';
import { lonOnMap } from './sphere';

const DEGREES_PER_RADIAN = 180 / Math.PI;
const converters = new Map<string, Converter | null>();

/**
 * Degrees from Greenwich, lon first, of a point in the CRS's own units and x,y order as PostGIS has them. In the CRS's
 * own datum (off by less than 0.5 km): for ranking and drawing, never for reprojection. Null where the point is not
 * finite or outside the projection, and where proj4 cannot do this CRS. Never throws.
 */
export function toLonLat(record: CrsRecord, x: number, y: number): [lon: number, lat: number] | null {
  if (!Number.isFinite(x) || !Number.isFinite(y)) return null;
  if (isGeographic(record)) {
    const { degrees, meridian } = angleOf(record);
    const lon = x * degrees;
    const lat = y * degrees;
    return Math.abs(lon) <= 360 && Math.abs(lat) <= 90 ? [lonOnMap(lon + meridian), lat] : null;
  }
  return converterOf(record)?.toLonLat(x, y) ?? null;
}

/** The inverse of {@link toLonLat}: x,y in the CRS's own units of a place in degrees from Greenwich. */
export function fromLonLat(record: CrsRecord, lon: number, lat: number): [x: number, y: number] | null {
  if (!Number.isFinite(lon) || !Number.isFinite(lat) || Math.abs(lon) > 360 || Math.abs(lat) > 90) return null;
  if (isGeographic(record)) {
    const { degrees, meridian } = angleOf(record);
    return [lonOnMap(lon - meridian) / degrees, lat / degrees];
  }
  return converterOf(record)?.fromLonLat(lon, lat) ?? null;
}

function isGeographic(record: CrsRecord): boolean {
  return record.kind === 'geographic_2d' || record.kind === 'geographic_3d';
}

/** Degrees per unit, and degrees from Greenwich to the prime meridian. */
function angleOf(record: CrsRecord): { degrees: number; meridian: number } {
  const meridian = Number(/\+pm=(\S+)/.exec(record.proj ?? '')?.[1] ?? 0);
  const degrees = (record.unit_factor ?? 1 / DEGREES_PER_RADIAN) * DEGREES_PER_RADIAN;
  // The registry's degree is π/180 but for its last two digits: 190 must not become 190.0000000000002.
  return { degrees: Math.abs(degrees - 1) < 1e-12 ? 1 : degrees, meridian };
}

function converterOf(record: CrsRecord): Converter | null {
  if (record.kind !== 'projected' || record.proj === null) return null;
  let converter = converters.get(record.id);
  if (converter === undefined) {
    converter = proj4Converter(record.proj);
    converters.set(record.id, converter);
  }
  return converter;
}
