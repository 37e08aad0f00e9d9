import { validateStyleMin } from '@maplibre/maplibre-gl-style-spec';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { areaFeatures, nearRing, ringOfDrawing } from '@/components/map/draw-area';
import { AREA_SOURCE, areaLayers } from '@/components/map/draw-style';
import { PALETTES } from '@/components/map/palette';
import { polygonSchema } from '@/lib/contract/area-polygon';

describe('a drawn ring', () => {
  it('loses the corner that closes it and those that stand twice', () => {
    const drawn = [
      [1, 1],
      [2, 1],
      [2, 1.0000000001],
      [2, 2],
      [1, 1],
    ];
    expect(ringOfDrawing(drawn)).toEqual({
      ring: [
        [1, 1],
        [2, 1],
        [2, 2],
      ],
      problem: null,
    });
  });

  it('goes on over 180° and begins within it, however the map was turned', () => {
    const ring = [
      [175, 0],
      [185, 0],
      [185, 5],
    ];
    expect(
      ringOfDrawing([
        [175, 0],
        [-175, 0],
        [-175, 5],
        [175, 0],
      ]).ring,
    ).toEqual(ring);
    expect(
      ringOfDrawing([
        [535, 0],
        [545, 0],
        [545, 5],
      ]).ring,
    ).toEqual(ring);
  });

  it('says why the filter would not take it', () => {
    expect(
      ringOfDrawing([
        [1, 1],
        [2, 1],
        [1, 1],
      ]).problem,
    ).toMatch(/^takes 3 to 500 vertices/);
  });

  it('is one that the filter takes wherever it was drawn on one turn of the world', () => {
    const corner = fc.tuple(
      fc.double({ min: -80, max: 80, noNaN: true }),
      fc.double({ min: -80, max: 80, noNaN: true }),
    );
    fc.assert(
      fc.property(
        fc.array(corner, { minLength: 3, maxLength: 20 }),
        fc.integer({ min: -720, max: 720 }),
        (corners, turn) => {
          const { ring, problem } = ringOfDrawing(corners.map(([lon, lat]) => [lon + turn, lat]));
          expect(polygonSchema.safeParse(ring).success).toBe(problem === null);
          const near = nearRing(ring, turn);
          expect(near.length).toBe(ring.length);
          for (const [lon] of near) expect(Math.abs(lon - turn)).toBeLessThanOrEqual(270);
        },
      ),
      { numRuns: 100 },
    );
  });
});

describe('the area of the filter on the map', () => {
  it('is closed, and a box over 180° lies in one piece', () => {
    const { features } = areaFeatures({
      polygon: [
        [1, 1],
        [2, 1],
        [2, 2],
      ],
      bbox: [170, -5, -170, 5],
    });
    expect(
      features.map(({ properties, geometry }) => [
        properties?.kind,
        geometry.type === 'Polygon' && geometry.coordinates[0],
      ]),
    ).toEqual([
      [
        'polygon',
        [
          [1, 1],
          [2, 1],
          [2, 2],
          [1, 1],
        ],
      ],
      [
        'box',
        [
          [170, -5],
          [190, -5],
          [190, 5],
          [170, 5],
          [170, -5],
        ],
      ],
    ]);
  });

  it('has layers that the style takes', () => {
    const data = areaFeatures({});
    const style = {
      version: 8 as const,
      sources: { [AREA_SOURCE]: { type: 'geojson' as const, data } },
      layers: areaLayers(PALETTES.dark),
    };
    expect(validateStyleMin(style)).toEqual([]);
  });
});
