import type { Claim } from '@/lib/contract/entry';
import { GEOMETRY_COLLECTION, GEOMETRY_TYPE_NAMES } from '@/lib/wkb/geometry-type';
import { PART_COLUMNS, TYPE } from '@/lib/wkb/parts-table';
import { KIND_RING, S_CLOSED, S_COUNT, S_KIND, type Scene, STROKE_COLUMNS } from './scene.model';

/** Claims whose x,y are WGS 84 longitude and latitude, which is what GeoJSON says by being GeoJSON. */
const LON_LAT = new Set(['EPSG:4326', 'OGC:CRS84']);

/** Why there is no faithful WKT, or null. PostGIS reads a NaN in WKT back, but no infinity. */
export function wktRefusal(scene: Scene): string | null {
  if (scene.error) return 'the bytes end before the geometry does';
  if (scene.trailing_bytes > 0) return 'bytes follow the geometry';
  const other = otherType(scene);
  return other ? `there is no writer for ${other}` : null;
}

/** Why GeoJSON would not say the same, or null. */
export function geoJsonRefusal(scene: Scene, claim: Pick<Claim, 'id'> | null, src_crs: string | null): string | null {
  const text = wktRefusal(scene);
  if (text) return text;
  if (scene.non_finite_count > 0) return 'GeoJSON has no NaN and no Infinity';
  if (scene.has_m) return 'GeoJSON has no M';
  if (scene.has_z) return 'GeoJSON takes Z as metres above WGS 84, which is not claimed';
  if (!claim || !LON_LAT.has(claim.id))
    return src_crs === null
      ? 'GeoJSON is WGS 84 longitude and latitude; no CRS is claimed'
      : 'GeoJSON is WGS 84 longitude and latitude; the claim is another';
  return brokenRing(scene);
}

function otherType({ parts, part_count }: Scene): string | null {
  for (let at = 0; at < part_count * PART_COLUMNS; at += PART_COLUMNS) {
    const type = parts[at + TYPE] as number;
    if (type > GEOMETRY_COLLECTION) return GEOMETRY_TYPE_NAMES[type] ?? 'this type';
  }
  return null;
}

/** A ring of GeoJSON has four positions and ends where it begins. */
function brokenRing({ strokes }: Scene): string | null {
  for (let s = 0; s < strokes.length; s += STROKE_COLUMNS) {
    if (strokes[s + S_KIND] !== KIND_RING) continue;
    if ((strokes[s + S_COUNT] as number) < 4) return 'a ring of GeoJSON has four positions; one here has fewer';
    if (strokes[s + S_CLOSED] !== 1) return 'a ring of GeoJSON is closed; one here is not';
  }
  return null;
}
