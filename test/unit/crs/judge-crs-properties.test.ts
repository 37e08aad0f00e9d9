import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CrsEvidence, judgeCrs } from '@/lib/crs/judge-crs';
import type { Bbox } from '@/lib/crs/registry/registry';
import { sampleVertices } from '@/lib/crs/vertex-sample';
import { CRS_VERDICTS } from '@/lib/dead-letter/vocabulary';
import { readWkb } from '@/lib/wkb/read-wkb';

const number = fc.oneof(
  fc.double(),
  fc.double({ min: -180, max: 180, noNaN: true }),
  fc.double({ min: -1e7, max: 1e7, noNaN: true }),
  fc.integer({ min: 0, max: 5000 }),
  fc.constantFrom(0, -0, 5e-324, 1e308, -1e308, 90, -180, 20037508.34),
);
const claim = fc.oneof(
  fc.constantFrom(
    null,
    '',
    'EPSG:4326',
    'EPSG:27700',
    'EPSG:2263',
    'EPSG:32633',
    'EPSG:4807',
    'EPSG:26592',
    'EPSG:4978',
    'EPSG:5701',
    'EPSG:99999',
    '+proj=utm +zone=33',
  ),
  fc.string(),
  fc.integer({ min: 2000, max: 9999 }).map((code) => `EPSG:${code}`),
);
const box = fc.option(fc.tuple(number, number, number, number) as fc.Arbitrary<Bbox>);
const point = fc.option(fc.tuple(number, number));

const evidence: fc.Arbitrary<CrsEvidence> = fc
  .record({
    numbers: fc.array(fc.tuple(number, number), { maxLength: 12 }),
    src_crs: claim,
    srid: fc.option(fc.integer({ min: -5, max: 40_000 })),
    target_crs: claim,
    placed: fc.option(fc.record({ points: fc.array(point, { maxLength: 6 }), error: fc.option(fc.string()) })),
    tile: box,
    params_bbox: box,
    siblings: fc.option(
      fc.record({
        bbox: box,
        accepted: fc.array(
          fc.record({
            crs: fc.constantFrom('EPSG:25832', 'EPSG:4326', 'nonsense'),
            swapped: fc.boolean(),
            count: fc.nat(),
          }),
          { maxLength: 3 },
        ),
      }),
    ),
  })
  .map(({ numbers, ...rest }) => {
    const reading = readWkb(lineOf(numbers));
    return {
      ...rest,
      sample: sampleVertices(reading),
      non_finite: reading.first_non_finite_vertex !== null,
      is_empty: reading.is_empty,
    };
  });

function lineOf(numbers: [number, number][]): Uint8Array {
  const bytes = new Uint8Array(9 + numbers.length * 16);
  const view = new DataView(bytes.buffer);
  bytes.set([1, 2, 0, 0, 0]);
  view.setUint32(5, numbers.length, true);
  for (const [i, value] of numbers.flat().entries()) view.setFloat64(9 + i * 8, value, true);
  return bytes;
}

test('whatever it is given, it answers, and the same twice', () => {
  fc.assert(
    fc.property(evidence, (given) => {
      expect(judgeCrs(given)).toEqual(judgeCrs(given));
    }),
    { numRuns: 60 },
  );
});

test('the verdict is the first of those that hold, the suggestion the first candidate, and every figure is finite', () => {
  fc.assert(
    fc.property(evidence, (given) => {
      const { crs_verdict, also, crs_reason, candidates, suggestion } = judgeCrs(given);
      const held = crs_verdict === null ? [] : [crs_verdict, ...also];
      expect(held).toEqual(CRS_VERDICTS.filter((verdict) => held.includes(verdict)));
      expect(also.length === 0 || crs_verdict !== null).toBe(true);
      expect(crs_reason === null).toBe(crs_verdict === null);
      expect(held.includes('agrees')).toBe(crs_verdict === 'agrees');
      if (suggestion !== null) expect(suggestion).toBe(candidates[0]?.crs);
      if (crs_verdict === 'agrees') expect(candidates).toEqual([]);
      expect(candidates.length).toBeLessThanOrEqual(8);
      for (const { place, score, to_tile_m, in_prior, reason } of candidates) {
        expect([...place, score, to_tile_m ?? 0, in_prior ?? 0].every(Number.isFinite)).toBe(true);
        expect(Math.abs(place[1])).toBeLessThanOrEqual(90);
        expect(reason).toMatch(/^\S.*\.$/);
      }
    }),
    { numRuns: 150 },
  );
});
