import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nearestLon } from '@/components/map/geodesy';
import { closeOverPole, poleOf } from '@/components/map/over-pole';
import { isSplitAt180, withoutSeam } from '@/components/map/seam';
import { continuous } from '@/components/map/unwrap';

type LonLat = [number, number];
const lons = (line: readonly (readonly [number, number])[]) => line.map(([lon]) => lon);

describe('a line made continuous', () => {
  it('keeps every place and jumps nowhere', () => {
    const lon = fc.double({ min: -179.9, max: 179.9, noNaN: true });
    const places = fc.array(fc.tuple(lon, fc.double({ min: -85, max: 85, noNaN: true })), { minLength: 1 });
    fc.assert(
      fc.property(places, fc.double({ min: -360, max: 360, noNaN: true }), (line, reference) => {
        const out = continuous(line, reference);
        expect(out.length).toBe(line.length);
        expect(Math.abs(out[0]![0] - reference)).toBeLessThanOrEqual(180 + 1e-9);
        out.forEach(([x, y], i) => {
          expect(y).toBe(line[i]![1]);
          expect(nearestLon(line[i]![0], x)).toBeCloseTo(x, 9);
          if (i > 0) expect(Math.abs(x - out[i - 1]![0])).toBeLessThanOrEqual(180 + 1e-9);
        });
      }),
    );
  });

  it('goes on past 180°, also where the data names both of its longitudes', () => {
    expect(
      lons(
        continuous(
          [
            [170, 0],
            [-170, 0],
          ],
          170,
        ),
      ),
    ).toEqual([170, 190]);
    const both: LonLat[] = [
      [178, 0],
      [180, 0],
      [-180, 0],
      [-178, 0],
      [-178, 1],
      [-180, 1],
      [180, 1],
      [178, 1],
      [178, 0],
    ];
    expect(lons(continuous(both, 178))).toEqual([178, 180, 180, 182, 182, 180, 180, 178, 178]);
  });

  it('leaves a box of the whole world one, and a ring that is closed along a pole', () => {
    const world: LonLat[] = [
      [-180, -60],
      [180, -60],
      [180, 60],
      [-180, 60],
      [-180, -60],
    ];
    expect(continuous(world, -180)).toEqual(world);
    const cap: LonLat[] = [
      [-180, 80],
      [-90, 81],
      [0, 80],
      [90, 81],
      [180, 80],
      [180, 90],
      [-180, 90],
      [-180, 80],
    ];
    expect(continuous(cap, -180)).toEqual(cap);
    expect(poleOf(cap)).toBe('north');
    expect(closeOverPole(cap)).toEqual({ ring: cap, pole: null });
  });
});

describe('the seam of a geometry that was split at 180°', () => {
  const west: LonLat[] = [
    [178, 0],
    [180, 0],
    [180, 2],
    [178, 2],
    [178, 0],
  ];
  const east: LonLat[] = [
    [-180, 0],
    [-178, 0],
    [-178, 2],
    [-180, 2],
    [-180, 0],
  ];

  it('is there where halves meet, and not where a shape merely ends at 180°', () => {
    expect(isSplitAt180([west, east])).toBe(true);
    expect(isSplitAt180([west])).toBe(false);
    expect(
      isSplitAt180([
        west,
        [
          [-180, 0],
          [-179, 1],
        ],
      ]),
    ).toBe(false);
  });

  it('is left out of the lines; all other edges stay', () => {
    expect(withoutSeam(west)).toEqual([
      [
        [178, 0],
        [180, 0],
      ],
      [
        [180, 2],
        [178, 2],
        [178, 0],
      ],
    ]);
    expect(withoutSeam(continuous(east, 178))).toEqual([
      [
        [180, 0],
        [182, 0],
        [182, 2],
        [180, 2],
      ],
    ]);
  });

  it('runs along a pole too', () => {
    const cap: LonLat[] = [
      [-180, 80],
      [0, 80],
      [180, 80],
      [180, 90],
      [-180, 90],
      [-180, 80],
    ];
    expect(withoutSeam(cap)).toEqual([
      [
        [-180, 80],
        [0, 80],
        [180, 80],
      ],
    ]);
  });
});
