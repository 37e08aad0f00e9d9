import { describe, expect, it } from 'vitest';
import { LinkedCursor } from '@/components/evidence/linked-cursor';
import { errorText } from '@/components/evidence/use-linked-cursor';
import { vertexOnMap } from '@/components/evidence/vertex-on-map';
import { makeCursorTransform } from '@/lib/crs/cursor-link';
import { Bytes, sceneOf } from './hex-geometries';

const UTM_32 = '+proj=utm +zone=32 +ellps=WGS84 +units=m +no_defs';

describe('the transform of a cursor', () => {
  it('goes there and back', async () => {
    const { toLonLat, fromLonLat } = await makeCursorTransform(UTM_32);
    const place = toLonLat([500_000, 5_538_630.7])!;
    expect(place[0]).toBeCloseTo(9, 9);
    expect(place[1]).toBeCloseTo(50, 4);
    const back = fromLonLat(place)!;
    expect(back[0]).toBeCloseTo(500_000, 3);
    expect(back[1]).toBeCloseTo(5_538_630.7, 3);
  });

  it('takes a longitude of any turn of the world', async () => {
    const { fromLonLat } = await makeCursorTransform(UTM_32);
    expect(fromLonLat([369, 50])![0]).toBeCloseTo(500_000, 3);
  });

  it('has nothing for what is no place', async () => {
    const { toLonLat, fromLonLat } = await makeCursorTransform('+proj=longlat +datum=WGS84 +no_defs');
    expect(toLonLat([10, 50])).toEqual([10, 50]);
    for (const place of [
      [Number.NaN, 1],
      [1, Number.POSITIVE_INFINITY],
      [10, 95],
    ] as const)
      expect(toLonLat(place)).toBeNull();
    expect(fromLonLat([10, 95])).toBeNull();
  });

  it('says what it cannot read', async () => {
    await expect(makeCursorTransform('nonsense')).rejects.toThrow(Error);
  });
});

describe('the linked cursor', () => {
  it('shows a place of one pane in the other, and only there', async () => {
    const cursor = new LinkedCursor();
    cursor.transform = await makeCursorTransform(UTM_32);
    let told = 0;
    const stop = cursor.subscribe(() => told++);
    cursor.overSource([500_000, 5_538_630]);
    expect(cursor.on_map?.[0]).toBeCloseTo(9, 9);
    expect(cursor.in_source).toBeNull();
    cursor.overMap([9, 50]);
    expect(cursor.in_source?.[0]).toBeCloseTo(500_000, 3);
    expect(cursor.on_map).toBeNull();
    cursor.overMap(null);
    cursor.overMap(null);
    expect(told).toBe(3);
    stop();
    cursor.overMap([9, 50]);
    expect(told).toBe(3);
  });

  it('shows nothing without a transform', () => {
    const cursor = new LinkedCursor();
    cursor.overSource([1, 2]);
    cursor.overMap([1, 2]);
    expect([cursor.on_map, cursor.in_source]).toEqual([null, null]);
  });

  it('says how far it was checked', () => {
    expect([0, 0.0004, 0.034, 1.23].map(errorText)).toEqual(['0.1 mm', '0.4 mm', '3 cm', '1.2 m']);
  });
});

describe('a vertex on the map', () => {
  const line = (positions: number[][]) => sceneOf(new Bytes().line(positions));
  const source = line([
    [1000, 0],
    [Number.NaN, 0],
    [3000, 0],
  ]);

  it('is the same vertex of the reprojected geometry', () => {
    const reprojected = line([
      [10, 50],
      [11, 50],
      [12, 50],
    ]);
    expect(vertexOnMap(source, reprojected, 2, null)).toEqual([12, 50]);
    expect(vertexOnMap(source, reprojected, 1, null)).toBeNull();
    expect(vertexOnMap(source, reprojected, 7, null)).toBeNull();
  });

  it('is where the checked transform puts it when the two do not match', () => {
    const split = line([
      [10, 50],
      [11, 50],
    ]);
    expect(vertexOnMap(source, split, 2, null)).toBeNull();
    expect(vertexOnMap(source, split, 2, ([x, y]) => [x / 1000, y])).toEqual([3, 0]);
  });
});
