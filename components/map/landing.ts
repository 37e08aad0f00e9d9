import type { Feature, FeatureCollection, Geometry, Position } from 'geojson';
import { distanceText } from '@/lib/crs/distance-words';
import { type LonLat, metresBetween } from '@/lib/crs/sphere';
import { MAX_LAT, type TileAddress, tileBbox, tileCentre, toWorld } from '@/lib/crs/web-mercator';
import { type Bbox, nearestLon } from './geodesy';

const feature = (kind: string, geometry: Geometry, properties: Record<string, string | number> = {}): Feature => ({
  type: 'Feature',
  properties: { kind, ...properties },
  geometry,
});
export const point = (position: LonLat): Geometry => ({ type: 'Point', coordinates: [...position] });

/** The closed ring of a box; east may pass 180. */
export function boxRing([west, south, east, north]: Bbox): Position[] {
  return [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
}

/** As near to a pole as a ring of 10 px still shows on a map that ends at 85.05°. */
const DRAWN_LAT = 84.4;

/** A place beyond the map's edge, e.g. of swapped axes, is drawn at the edge instead of nowhere. */
const onTheMap = ([lon, lat]: LonLat): LonLat =>
  Math.abs(lat) < MAX_LAT ? [lon, lat] : [lon, Math.sign(lat) * DRAWN_LAT];

/**
 * Where an entry landed and where it should lie: kinds `landing`, `tile` (its box), `tile_centre`, `arrow` (with the
 * distance as `label`) and `arrow_head` (with its `rotation`, clockwise from east on the map). The tile is moved by
 * whole turns to the copy of the world nearest to the landing. With its class the landing gets a mark. `distance_m` is
 * what the database measured from the geometry's edge: the label says the same figure as the list, and there is no arrow
 * where the geometry touches its tile. Without it the distance of the two middles is used.
 */
export function landingFeatures(
  given: LonLat | null,
  tile: TileAddress | null,
  failure_class: string | null = null,
  distance_m: number | null = null,
): FeatureCollection {
  const features: Feature[] = [];
  const landing = given && onTheMap(given);
  if (tile) {
    const [west, south, east, north] = tileBbox(tile);
    const [lon, lat] = tileCentre(tile);
    const turn = landing ? nearestLon(lon, landing[0]) - lon : 0;
    const centre: LonLat = [lon + turn, lat];
    const box: Bbox = [west + turn, south, east + turn, north];
    const inside =
      distance_m === 0 ||
      (landing && landing[0] >= box[0] && landing[0] <= box[2] && landing[1] >= box[1] && landing[1] <= box[3]);
    if (landing && !inside) {
      const [x0, y0] = toWorld(landing);
      const [x1, y1] = toWorld(centre);
      const label = distanceText(distance_m ?? metresBetween(landing, centre));
      // West to east, so that the label stands upright above the line.
      const [from, to] = landing[0] <= centre[0] ? [landing, centre] : [centre, landing];
      features.push(feature('arrow', { type: 'LineString', coordinates: [[...from], [...to]] }, { label }));
      const rotation = (Math.atan2(y1 - y0, x1 - x0) * 180) / Math.PI;
      features.push(feature('arrow_head', point(centre), { rotation }));
    }
    features.push(feature('tile', { type: 'Polygon', coordinates: [boxRing(box)] }));
    features.push(feature('tile_centre', point(centre)));
  }
  if (landing) features.push(feature('landing', point(landing), failure_class === null ? {} : { failure_class }));
  return { type: 'FeatureCollection', features };
}

/** An arrow shorter than this on screen would be a head that sticks out of the landing's ring. */
const ARROW_MIN_PX = 36;

/** The zoom from which landing and tile are far enough apart for an arrow between them; 24 where there is none. */
export function arrowZoom(landing: LonLat | null, tile: TileAddress | null): number {
  if (!landing || !tile) return 24;
  const [lon, lat] = tileCentre(tile);
  const [x0, y0] = toWorld(landing);
  const [x1, y1] = toWorld([nearestLon(lon, landing[0]), lat]);
  return Math.min(24, Math.max(0, Math.log2(ARROW_MIN_PX / 512 / Math.max(1e-12, Math.hypot(x1 - x0, y1 - y0)))));
}

/**
 * The zoom from which a tile of zoom `z` is at least 9 px wide (512 px tiles), so that its own box can be drawn; within
 * what a layer's zoom range takes (0 there would mean "no limit").
 */
export function tileBoxZoom(z: number): number {
  return Math.min(24, Math.max(0.01, z - Math.log2(512 / 9)));
}
