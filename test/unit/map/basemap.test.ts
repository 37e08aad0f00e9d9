import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import type { FeatureCollection, Position } from 'geojson';
import { describe, expect, it } from 'vitest';

const folder = 'public/basemap';
const read = (name: string) => JSON.parse(readFileSync(`${folder}/${name}.json`, 'utf8')) as FeatureCollection;

function* lines(coordinates: unknown): Generator<Position[]> {
  const list = coordinates as unknown[][];
  if (typeof list[0]?.[0] === 'number') yield list as Position[];
  else for (const part of list) yield* lines(part);
}

describe('the offline basemap', () => {
  it('stays under 0.7 MB compressed', () => {
    const sizes = readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .map((name) => gzipSync(readFileSync(`${folder}/${name}`)).length);
    expect(sizes.length).toBe(6);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(700_000);
  });

  it('has no ring or line across 180°, which would be drawn as a wedge round the world', () => {
    for (const name of ['land', 'lakes', 'regions'])
      for (const { geometry } of read(name).features)
        if ('coordinates' in geometry)
          for (const line of lines(geometry.coordinates)) {
            // Antarctica's ring runs along the lower edge of the map; that is a side of the square, not a wedge.
            const jumps = line.filter((point, i) => i > 0 && Math.abs(point[0]! - line[i - 1]![0]!) > 180);
            expect(jumps.filter((point) => point[1]! > -89)).toEqual([]);
          }
  });

  it('is in longitude and latitude', () => {
    for (const name of ['land', 'labels', 'cities']) {
      const outside = read(name)
        .features.flatMap(({ geometry }) =>
          geometry.type === 'Point'
            ? [geometry.coordinates]
            : 'coordinates' in geometry
              ? [...lines(geometry.coordinates)].flat()
              : [],
        )
        .filter(([lon, lat]) => !(Math.abs(lon!) <= 180 && Math.abs(lat!) <= 90));
      expect(outside).toEqual([]);
    }
  });
});
