import type { Bbox } from '@/components/map/geodesy';
import { fromWorld, toWorld } from '@/lib/crs/web-mercator';
import type { MapPosition } from './triage-url.model';

const TILE_PX = 512;
const CLOSEST_ZOOM = 14;

/**
 * The map's view that holds a box (west > east crosses 180°) in `width`×`height` px with a tenth of room around it; null
 * without a box.
 */
export function viewOfExtent(extent: Bbox | null, width = 600, height = 340): MapPosition | null {
  if (!extent) return null;
  const [west, south, east, north] = extent;
  const [left, top] = toWorld([west, north]);
  const [right, bottom] = toWorld([west > east ? east + 360 : east, south]);
  const zoomX = Math.log2((0.8 * width) / (TILE_PX * Math.max(right - left, 1e-9)));
  const zoomY = Math.log2((0.8 * height) / (TILE_PX * Math.max(bottom - top, 1e-9)));
  const [lon, lat] = fromWorld((left + right) / 2, (top + bottom) / 2);
  return {
    center: [lon > 180 ? lon - 360 : lon, lat],
    zoom: Math.max(0, Math.min(CLOSEST_ZOOM, zoomX, zoomY)),
  };
}
