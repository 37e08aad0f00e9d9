import type { Position } from 'geojson';

export type Pole = 'north' | 'south';

/** A ring that goes once round a pole ends 360° from where it began; it is closed over that pole to be filled. */
export function closeOverPole(ring: Position[]): { ring: Position[]; pole: Pole | null } {
  const first = ring[0];
  const last = ring.at(-1);
  if (!first || !last || ring.length < 4 || Math.abs(last[0]! - first[0]!) < 180) return { ring, pole: null };
  const pole = ring.reduce((sum, position) => sum + position[1]!, 0) > 0 ? 'north' : 'south';
  const lat = pole === 'north' ? 90 : -90;
  return { ring: [...ring, [last[0]!, lat], [first[0]!, lat], first], pole };
}

/** The pole over which a ring is closed already: along 90°, from one side of the world to the other. */
export function poleOf(ring: readonly Position[]): Pole | null {
  for (let i = 1; i < ring.length; i++) {
    const [lon, lat] = ring[i] as [number, number];
    const [before, lat_before] = ring[i - 1] as [number, number];
    if (Math.abs(lat) === 90 && lat === lat_before && Math.abs(lon - before) > 180) return lat > 0 ? 'north' : 'south';
  }
  return null;
}
