import { type LonLat, metresBetween } from '@/lib/crs/sphere';
import type { Pole } from './over-pole';

type Bounds = readonly [west: number, south: number, east: number, north: number];

/** Beyond this latitude Web Mercator stretches more than six times and ends soon: the globe shows what lies there. */
const POLAR_LAT = 80;
/** MapLibre's camera stands at most here. */
const CAMERA_LAT = 85;
const EARTH_RADIUS_M = 6_371_008.8;
/** Share of the pane's half that the shape takes. */
const SHARE = 0.8;
const WORLD_PX = 512;

export const isPolar = (bounds: Bounds | null, pole: Pole | null): boolean =>
  pole !== null || (bounds !== null && Math.max(Math.abs(bounds[1]), Math.abs(bounds[3])) > POLAR_LAT);

/**
 * Centre and zoom that show a box on the globe. MapLibre's globe has a radius of world size / 2π / cos(latitude of its
 * centre) pixels.
 */
export function globeView(
  [west, south, east, north]: Bounds,
  pole: Pole | null,
  size: { width: number; height: number },
  closest: number,
): { center: [number, number]; zoom: number } {
  const middle = (west + east) / 2;
  const lat = pole ? (pole === 'north' ? 90 : -90) : (south + north) / 2;
  const center: [number, number] = [middle, Math.max(-CAMERA_LAT, Math.min(CAMERA_LAT, lat))];
  const corners: LonLat[] = [west, middle, east].flatMap((lon): LonLat[] => [
    [lon, south],
    [lon, north],
  ]);
  // the far side of the cap round a pole is seen across it
  if (pole) corners.push([middle + 180, pole === 'north' ? south : north]);
  const far = Math.max(...corners.map((corner) => metresBetween(center, corner))) / EARTH_RADIUS_M;
  const radius = ((Math.min(size.width, size.height) / 2) * SHARE) / Math.sin(Math.min(Math.max(far, 1e-8), 1.4));
  const world = radius * 2 * Math.PI * Math.cos((center[1] * Math.PI) / 180);
  return { center, zoom: Math.min(closest, Math.log2(world / WORLD_PX)) };
}
