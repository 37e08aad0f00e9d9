import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FaultReport } from '@/lib/faults/fault-report';
import { findFaults } from '@/lib/faults/find-faults';
import type { GeometryTree } from '@/lib/wkb/geometry-tree';
import { readWkb } from '@/lib/wkb/read-wkb';
import { writeEwkb } from '@/lib/wkb/write-ewkb';
import { type Point, polygon, type Ring, randomGeometries } from './random-geometries';

const EVERYTHING = { max_listed: 100_000 };
const reportOf = (tree: GeometryTree) => findFaults(readWkb(writeEwkb(tree)), EVERYTHING);

/** Faults of places, not of whole rings: those are told at the ring's first vertex. */
const OF_PLACES = ['self_intersection', 'ring_self_touch', 'spike', 'interior_disconnected', 'repeated_point'];

/** Each place with its code, once. A stretch may be told from either end. */
function placesOf({ faults }: FaultReport, by = 0): string[] {
  const text = ([x, y]: readonly [number, number]) =>
    `${(x - by).toFixed(6)} ${(y - by).toFixed(6)}`.replaceAll('-0.000000', '0.000000');
  const places = faults
    .filter(({ code }) => OF_PLACES.includes(code))
    .map(({ code, at, to }) => [code, ...[at, to].flatMap((place) => (place ? [text(place)] : [])).sort()].join(' '));
  return [...new Set(places)].sort();
}

const ring = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 0, max: 6 })), { minLength: 3, maxLength: 12 })
  .map((points): Ring => points.map(([x, y]): Point => [x, y]));
const close = (points: Ring): Ring => [...points, points[0] as Point];

describe('faults of a ring', () => {
  it('are the same wherever the ring begins', () => {
    fc.assert(
      fc.property(ring, fc.nat(11), (points, from) => {
        const turned = [...points.slice(from % points.length), ...points.slice(0, from % points.length)];
        // A vertex that repeats over the closure is not repeated where the ring begins between the two.
        const places = (report: FaultReport) => placesOf(report).filter((place) => !place.startsWith('repeated_point'));
        expect(places(reportOf(polygon(close(turned))))).toEqual(places(reportOf(polygon(close(points)))));
      }),
      { numRuns: 300 },
    );
  });

  it('are the same in the opposite direction', () => {
    fc.assert(
      fc.property(ring, (points) => {
        const closed = close(points);
        expect(placesOf(reportOf(polygon([...closed].reverse())))).toEqual(placesOf(reportOf(polygon(closed))));
      }),
      { numRuns: 300 },
    );
  });

  it('move with the ring on a grid, however far', () => {
    fc.assert(
      fc.property(ring, fc.integer({ min: -(2 ** 30), max: 2 ** 30 }), (points, by) => {
        const moved = points.map(([x, y]): Point => [x + by, y + by]);
        const codes = ({ counts }: FaultReport) => counts;
        expect(codes(reportOf(polygon(close(moved))))).toEqual(codes(reportOf(polygon(close(points)))));
      }),
      { numRuns: 300 },
    );
  });

  it('are the same whatever other ring lies far from it', () => {
    fc.assert(
      fc.property(ring, ring, (points, others) => {
        const far = others.map(([x, y]): Point => [x + 1000, y]);
        const parts = (...rings: Ring[]): GeometryTree => ({
          type: 6,
          dims: 0,
          parts: rings.map((one) => polygon(close(one))),
        });
        const both = reportOf(parts(points, far)).faults.filter(({ path }) => path?.[0] === 0);
        expect(both).toEqual(
          reportOf(
            parts(points, [
              [500, 0],
              [501, 0],
              [501, 1],
            ]),
          ).faults.filter(({ path }) => path?.[0] === 0),
        );
      }),
      { numRuns: 300 },
    );
  });
});

describe('any bytes', () => {
  const check = (report: FaultReport) => {
    for (const { at, to, path, message } of report.faults) {
      for (const place of [at, to]) if (place) expect(place.every(Number.isFinite)).toBe(true);
      expect(path === null || path.every((step) => Number.isInteger(step) && step >= 0)).toBe(true);
      expect(message.length).toBeGreaterThan(0);
    }
    for (const { code } of report.faults) expect(report.counts[code]).toBeGreaterThan(0);
  };

  it('are judged without an exception', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => check(findFaults(readWkb(bytes)))),
      { numRuns: 1_000 },
    );
  });

  it('that were a geometry before some were changed are judged without an exception', () => {
    const geometries = randomGeometries(7, 200).map(({ tree }) => writeEwkb(tree));
    fc.assert(
      fc.property(
        fc.constantFrom(...geometries),
        fc.array(fc.tuple(fc.nat(2000), fc.nat(255)), { minLength: 1, maxLength: 6 }),
        fc.nat(2000),
        (whole, changes, length) => {
          const bytes = whole.slice(0, 50 + length);
          for (const [at, value] of changes) bytes[at % bytes.length] = value;
          check(findFaults(readWkb(bytes), { geographic: true }));
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it('that are any numbers at all are judged without an exception or a place that is none', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.double(), fc.double()), { minLength: 3, maxLength: 20 }), (points) =>
        check(reportOf(polygon(close(points)))),
      ),
      { numRuns: 1_000 },
    );
  });
});
