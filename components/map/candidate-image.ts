import type { Palette } from './palette';
import { circle, newRaster, outline, paint, type Raster, stroke } from './raster';

/** Where the lettered disc stands from the true place, in CSS pixels, so that three beside one another stay apart. */
export const LEADERS: readonly (readonly [number, number])[] = [
  [-10, -22],
  [-21, 11],
  [6, 22],
  [22, -8],
];

const FIELD = 64;
const MIDDLE = FIELD / 2;
const RADIUS = 7.5;
const DASHES = 8;

/** A dot at the place, a leader and the disc: filled where the candidate leads, else dashed. */
export function candidateImage(leads: boolean, direction: number, palette: Palette, ratio: number): Raster {
  const raster = newRaster(FIELD, FIELD, ratio);
  const [dx, dy] = LEADERS[direction % LEADERS.length]!;
  const length = Math.hypot(dx, dy);
  const x = MIDDLE + dx;
  const y = MIDDLE + dy;
  const reach = 1 - RADIUS / length;
  const leader = stroke(
    [
      [MIDDLE, MIDDLE],
      [MIDDLE + dx * reach, MIDDLE + dy * reach],
    ],
    1.25,
  );
  paint(raster, leader, palette.ghost);
  paint(raster, circle(MIDDLE, MIDDLE, 2.2), palette.ghost);
  const disc = circle(x, y, RADIUS);
  paint(raster, disc, leads ? palette.ghost : palette.surface);
  if (leads) return raster;
  const edge = outline(disc, 1.5);
  // The part of a turn since the last dash began; under 0.6 lies the dash.
  const since = (px: number, py: number) => {
    const part = (DASHES * Math.atan2(py - y, px - x)) / (2 * Math.PI);
    return part - Math.floor(part);
  };
  paint(raster, (px, py) => (since(px, py) < 0.6 ? edge(px, py) : 1), palette.ghost);
  return raster;
}
