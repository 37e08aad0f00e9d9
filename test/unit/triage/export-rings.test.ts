import { describe, expect, it } from 'vitest';
import { areRingsClosed, rightHanded } from '@/lib/triage/export/rings';

const ccw = [
  [0, 0],
  [4, 0],
  [4, 4],
  [0, 0],
];
const cw = ccw.toReversed();

describe('the rings of a feature', () => {
  it('are rings of GeoJSON where they are closed and have four vertices', () => {
    expect(areRingsClosed({ type: 'Polygon', coordinates: [ccw, cw] })).toBe(true);
    expect(areRingsClosed({ type: 'Polygon', coordinates: [] })).toBe(true);
    expect(areRingsClosed({ type: 'LineString', coordinates: ccw.slice(1) })).toBe(true);
    const open = ccw.slice(0, 3);
    const short = [...ccw.slice(0, 2), [0, 0]];
    for (const ring of [open, short, [...open, [0, 1]]]) {
      expect(areRingsClosed({ type: 'Polygon', coordinates: [ccw, ring] })).toBe(false);
      expect(areRingsClosed({ type: 'MultiPolygon', coordinates: [[ccw], [ring]] })).toBe(false);
      expect(
        areRingsClosed({ type: 'GeometryCollection', geometries: [{ type: 'Polygon', coordinates: [ring] }] }),
      ).toBe(false);
    }
  });

  it('run counter-clockwise outside and clockwise inside, whatever came', () => {
    for (const shell of [ccw, cw])
      for (const hole of [ccw, cw])
        expect(rightHanded({ type: 'Polygon', coordinates: [shell, hole] })).toEqual({
          type: 'Polygon',
          coordinates: [ccw, cw],
        });
  });

  it('are turned in every part of a collection, and lines and points are left alone', () => {
    const line = { type: 'LineString' as const, coordinates: cw };
    expect(
      rightHanded({
        type: 'GeometryCollection',
        geometries: [line, { type: 'MultiPolygon', coordinates: [[cw], [ccw]] }],
      }),
    ).toEqual({
      type: 'GeometryCollection',
      geometries: [line, { type: 'MultiPolygon', coordinates: [[ccw], [ccw]] }],
    });
  });

  it('keep their vertices where they have no area', () => {
    const flat = [
      [1, 1],
      [2, 2],
      [1, 1],
    ];
    expect(rightHanded({ type: 'Polygon', coordinates: [flat] })).toEqual({ type: 'Polygon', coordinates: [flat] });
  });

  it('of a few metres far from the origin are turned right', () => {
    const small = ccw.map(([x = 0, y = 0]) => [179.9 + x * 1e-7, -81.3 + y * 1e-7]);
    expect(rightHanded({ type: 'Polygon', coordinates: [small.toReversed()] })).toEqual({
      type: 'Polygon',
      coordinates: [small],
    });
  });
});
