import { whyNotEarth } from './earth-size';
import { whyValueNamesFile } from './names-file';

/** Another claim to read instead, why it is refused, or PROJJSON to give to PROJ as it is. */
export type JsonClaim = { claim: string } | { reason: string } | { projjson: true };

const SPATIAL = ['ProjectedCRS', 'GeographicCRS', 'GeodeticCRS', 'BoundCRS', 'CompoundCRS', 'DerivedProjectedCRS'];
const MAX_DEPTH = 32;

/** Reads a claim in JSON: PROJJSON, the `crs` member of old GeoJSON, or the `wkid` of ArcGIS. Never throws. */
export function readJsonClaim(text: string): JsonClaim {
  const value = parsed(text);
  if (!isRecord(value)) return { reason: 'it begins like JSON, but is not' };
  if (value.type === 'name' && isRecord(value.properties) && typeof value.properties.name === 'string')
    return unlessNested(value.properties.name);
  const wkid = value.latestWkid ?? value.wkid;
  if (typeof wkid === 'number' && Number.isSafeInteger(wkid)) return { claim: `${authorityOf(wkid)}:${wkid}` };
  if (typeof value.wkt === 'string') return unlessNested(value.wkt);
  if (typeof value.type !== 'string') return { reason: 'the JSON is neither PROJJSON nor another known form' };
  if (!SPATIAL.includes(value.type))
    return { reason: `PROJJSON of type ${value.type.slice(0, 40)} cannot place x and y` };
  const system = value.coordinate_system;
  if (value.type === 'GeodeticCRS' && isRecord(system) && system.subtype === 'Cartesian')
    return { reason: 'a geocentric CRS counts X, Y and Z from the centre of the Earth' };
  const reason = whyRefusedIn(value, 0);
  return reason ? { reason } : { projjson: true };
}

/** A claim inside a claim is read once, not on and on. */
function unlessNested(claim: string): JsonClaim {
  return claim.trim().startsWith('{') ? { reason: 'JSON inside JSON' } : { claim };
}

/** EPSG gives out codes up to 32767; Esri's own lie above (37001, 54009, 102100). */
function authorityOf(wkid: number): string {
  return wkid > 32_767 ? 'ESRI' : 'EPSG';
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Deeper than any CRS is nested, it is not read to its end, and so not given to PROJ. */
function whyRefusedIn(value: unknown, depth: number): string | null {
  if (typeof value !== 'object' || value === null) return null;
  if (depth > MAX_DEPTH) return `the JSON is nested deeper than ${MAX_DEPTH}`;
  if (isRecord(value)) {
    const axis = value.semi_major_axis ?? value.radius;
    const metres =
      isRecord(axis) && isRecord(axis.unit) ? Number(axis.value) * Number(axis.unit.conversion_factor) : axis;
    const reason = (typeof metres === 'number' ? whyNotEarth(metres) : null) ?? whyValueNamesFile(value.value);
    if (reason) return reason;
  }
  for (const inner of Object.values(value)) {
    const reason = whyRefusedIn(inner, depth + 1);
    if (reason) return reason;
  }
  return null;
}
