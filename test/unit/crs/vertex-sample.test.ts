import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sampleVertices, standForSample } from '@/lib/crs/vertex-sample';
import { readWkb } from '@/lib/wkb/read-wkb';

function line(vertices: [number, number][]) {
  const bytes = new Uint8Array(9 + vertices.length * 16);
  const view = new DataView(bytes.buffer);
  bytes.set([1, 2, 0, 0, 0]);
  view.setUint32(5, vertices.length, true);
  for (const [i, value] of vertices.flat().entries()) view.setFloat64(9 + i * 8, value, true);
  return readWkb(bytes);
}

test('a geometry without a finite vertex has no sample', () => {
  expect(sampleVertices(line([]))).toBeNull();
  expect(
    sampleVertices(
      line([
        [Number.NaN, 1],
        [2, Number.POSITIVE_INFINITY],
      ]),
    ),
  ).toBeNull();
});

test('the finite ones are counted, bounded and told whole or not', () => {
  const sample = sampleVertices(
    line([
      [1, 2],
      [Number.NaN, 0],
      [5, -4],
    ]),
  );
  expect(sample).toMatchObject({ bbox: [1, -4, 5, 2], finite_count: 2, non_finite_count: 1, all_integers: true });
  expect([...(sample?.points ?? [])]).toEqual([1, 2, 5, -4]);
  expect(sampleVertices(line([[1, 2.5]]))?.all_integers).toBe(false);
});

test('a stray vertex does not move the medoid', () => {
  expect(
    sampleVertices(
      line([
        [1, 1],
        [2, 2],
        [3, 3],
        [1e300, -1e300],
      ]),
    )?.medoid,
  ).not.toContain(1e300);
});

test('of many vertices at most 256 are kept, spread over all, with those on the bbox', () => {
  fc.assert(
    fc.property(fc.integer({ min: 200, max: 5000 }), fc.integer({ min: 0, max: 199 }), (count, far) => {
      const vertices = Array.from({ length: count }, (_, i): [number, number] => [i, i % 7]);
      vertices[far] = [-1000, 5000];
      const sample = sampleVertices(line(vertices));
      const points = [...(sample?.points ?? [])];
      expect(points.length).toBeLessThanOrEqual(512);
      expect(points.length).toBeGreaterThan(200);
      expect(points).toContain(5000);
      expect(Math.max(...points.filter((_, i) => i % 2 === 0))).toBe(count - 1);
      expect(sample?.finite_count).toBe(count);
    }),
    { numRuns: 50 },
  );
});

test('five vertices stand for it: the medoid and the first on each side', () => {
  const sample = sampleVertices(
    line([
      [0, 0],
      [4, 1],
      [2, 9],
      [-3, 5],
      [2, -7],
    ]),
  );
  expect(sample && standForSample(sample)).toEqual(
    [
      [2, 1],
      [-3, 5],
      [2, -7],
      [4, 1],
      [2, 9],
    ].map((vertex, i) => (i === 0 ? sample?.medoid : vertex)),
  );
});
