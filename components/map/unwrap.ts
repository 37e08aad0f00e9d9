import { nearestLon } from './geodesy';

type LonLat = readonly [number, number];

/**
 * A line made continuous across 180°, on the same turn of the world as `reference`: where it jumps by more than half the
 * world it goes on past 180. A step of exactly 360° is no step where the line crosses 180° anyway, and the whole way round
 * where it does not: so a box of the whole world stays one, and so does a ring that was closed along a pole.
 */
export function continuous(line: readonly LonLat[], reference: number): [number, number][] {
  const first = line[0];
  if (!first) return [];
  const no_step = crosses180(line);
  let turn = nearestLon(first[0], reference) - first[0];
  return line.map(([lon, lat], i) => {
    const step = i === 0 ? 0 : lon - line[i - 1]![0];
    if (Math.abs(step) !== 360 || no_step) turn -= 360 * Math.round(step / 360);
    return [lon + turn, lat];
  });
}

function crosses180(line: readonly LonLat[]): boolean {
  let near = true;
  let within = false;
  for (let i = 0; i < line.length; i++) {
    const lon = Math.abs(line[i]![0]);
    const step = i === 0 ? 0 : Math.abs(line[i]![0] - line[i - 1]![0]);
    if (step > 180 && step < 360) return true;
    if (lon < 90) near = false;
    if (lon < 180) within = true;
  }
  return near && within;
}
