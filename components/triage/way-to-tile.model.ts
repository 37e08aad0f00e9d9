import { type Bbox, nearestLon } from '@/components/map/geodesy';
import { wrapLon } from '@/lib/crs/sphere';
import { type TileAddress, tileCentre } from '@/lib/crs/web-mercator';

type Placed = { position: [number, number] | null; tile?: TileAddress | null; distance_m?: number | null };

/** Room round the way, as a share of it, so that what lies beside it shows too. */
const ROOM = 0.2;

/**
 * [west, south, east, north] that holds an entry's place and its tile with room around; west > east crosses 180°. Null
 * where it has no place, no tile, or lies in it: then there is no way to show.
 */
export function wayToTile(entry: Placed | null): Bbox | null {
  const { position, tile, distance_m } = entry ?? {};
  if (!position || !tile || !distance_m) return null;
  const [lon, lat] = tileCentre(tile);
  const beside = nearestLon(lon, position[0]);
  const [west, east] = [Math.min(position[0], beside), Math.max(position[0], beside)];
  const [south, north] = [Math.min(position[1], lat), Math.max(position[1], lat)];
  const room = ROOM * Math.max(east - west, north - south);
  return [wrapLon(west - room), Math.max(-85, south - room), wrapLon(east + room), Math.min(85, north + room)];
}
