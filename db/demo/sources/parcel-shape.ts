import type { Polygon, Position } from 'geojson';
import type { Random } from '../random';

const METRES_PER_DEGREE = 111_320;

/** A place inside a ring, by rejection; the mean of its vertices where the ring is too thin to hit. */
export function placeInside(ring: readonly Position[], random: Random): Position {
  const xs = ring.map(([x = 0]) => x);
  const ys = ring.map(([, y = 0]) => y);
  const [west, east, south, north] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  for (let tries = 0; tries < 60; tries += 1) {
    const place: Position = [random.between(west, east), random.between(south, north)];
    if (isInside(ring, place)) return place;
  }
  return [xs.reduce((a, b) => a + b, 0) / xs.length, ys.reduce((a, b) => a + b, 0) / ys.length];
}

/**
 * A lot at a place, in degrees: three straight sides, turned as the county line runs nearby, and a fourth that follows a
 * stretch of that line scaled down to the lot, as a creek or a road would. 6 to 28 vertices, closed, simple.
 */
export function parcelShape(ring: readonly Position[], [lon = 0, lat = 0]: Position, random: Random): Polygon {
  const width = random.between(25, 160);
  const depth = random.between(30, 220);
  const from = random.whole(0, ring.length - 2);
  const stretch = stretchOf(ring, from, random.whole(3, 24));
  const turn = bearing(ring[from], ring[from + 1]);
  const side: Position[] = stretch.map(([t = 0, off = 0]) => [t * width, depth + off * depth * 0.3]);
  const local: Position[] = [[0, 0], [width, 0], ...side.reverse(), [0, 0]];
  const metresPerLon = METRES_PER_DEGREE * Math.cos((lat * Math.PI) / 180);
  const coordinates = local.map(([x = 0, y = 0]): Position => {
    const east = x * Math.cos(turn) - y * Math.sin(turn);
    const north = x * Math.sin(turn) + y * Math.cos(turn);
    return [lon + east / metresPerLon, lat + north / METRES_PER_DEGREE];
  });
  return { type: 'Polygon', coordinates: [coordinates] };
}

/** The shape of a few vertices of the ring as [0…1 along, −1…1 across], monotone along, its ends included. */
function stretchOf(ring: readonly Position[], from: number, count: number): Position[] {
  const part = ring.slice(from, from + count + 1);
  const lats = part.map(([, y = 0]) => y);
  const low = Math.min(...lats);
  const span = Math.max(...lats) - low || 1;
  const last = part.length - 1 || 1;
  return part.map(([, y = 0], i) => [i / last, ((y - low) / span) * 2 - 1]);
}

function bearing([x1 = 0, y1 = 0]: Position = [], [x2 = 1, y2 = 0]: Position = []): number {
  return Math.atan2(y2 - y1, x2 - x1);
}

function isInside(ring: readonly Position[], [x = 0, y = 0]: Position): boolean {
  let inside = false;
  for (let i = 0, j = ring.length - 1; i < ring.length; j = i, i += 1) {
    const [xi = 0, yi = 0] = ring[i] ?? [];
    const [xj = 0, yj = 0] = ring[j] ?? [];
    if (yi > y !== yj > y && x < ((xj - xi) * (y - yi)) / (yj - yi) + xi) inside = !inside;
  }
  return inside;
}
