import { describe, expect, it } from 'vitest';
import { landingFeatures, tileBoxZoom } from '@/components/map/landing';

const kinds = (...given: Parameters<typeof landingFeatures>) =>
  Object.fromEntries(landingFeatures(...given).features.map((each) => [each.properties?.kind, each]));

describe('landing, tile and arrow', () => {
  it('are joined by an arrow that says how far the entry is off', () => {
    const made = kinds([-61.9, 44], { z: 14, x: 4473, y: 6116 });
    expect(Object.keys(made).sort()).toEqual(['arrow', 'arrow_head', 'landing', 'tile', 'tile_centre']);
    expect(made.arrow?.properties?.label).toMatch(/^1,6\d\d km$/);
    // West of the landing: the head points left, a little down.
    expect(made.arrow_head?.properties?.rotation).toBeGreaterThan(160);
    expect(made.arrow_head?.properties?.rotation).toBeLessThan(180);
  });

  it('are drawn at the edge of the map where the place lies beyond it', () => {
    const [, lat] = (kinds([40.7, -85.49], null).landing!.geometry as { coordinates: number[] }).coordinates;
    expect(lat).toBeGreaterThan(-85);
    expect(lat).toBeLessThan(-84);
  });

  it('say the distance that was measured, and draw no arrow where it is nothing', () => {
    const tile = { z: 14, x: 4436, y: 6197 };
    expect(kinds([-65.5, 43.7], tile, null, 1_462_300).arrow?.properties?.label).toBe('1,462 km');
    expect(Object.keys(kinds([-65.5, 43.7], tile, null, 0)).sort()).toEqual(['landing', 'tile', 'tile_centre']);
  });

  it('need no arrow where the entry lies in its tile', () => {
    expect(Object.keys(kinds([5, 52], { z: 3, x: 4, y: 2 })).sort()).toEqual(['landing', 'tile', 'tile_centre']);
  });

  it('take the short way across 180°', () => {
    const { tile, arrow } = kinds([179.9, 0.5], { z: 6, x: 0, y: 31 });
    expect(tile?.geometry).toMatchObject({ type: 'Polygon' });
    const [ring] = (tile!.geometry as { coordinates: number[][][] }).coordinates;
    expect(ring!.every(([lon]) => lon! >= 180 - 1e-9)).toBe(true);
    expect(Number.parseInt(arrow?.properties?.label, 10)).toBeLessThan(1000);
  });

  it('are what is known and no more', () => {
    expect(kinds(null, null)).toEqual({});
    expect(Object.keys(kinds([1, 2], null))).toEqual(['landing']);
    expect(kinds([1, 2], null, 'oom').landing?.properties).toEqual({ kind: 'landing', failure_class: 'oom' });
    expect(Object.keys(kinds(null, { z: 1, x: 0, y: 0 })).sort()).toEqual(['tile', 'tile_centre']);
  });
});

it('a tile draws its own box from 9 px on', () => {
  const px = (z: number) => 512 * 2 ** (tileBoxZoom(z) - z);
  expect(px(14)).toBeCloseTo(9, 6);
  expect(tileBoxZoom(0)).toBeGreaterThan(0);
  expect(tileBoxZoom(30)).toBe(24);
});
