import { expect, it } from 'vitest';
import { insetCorner } from '@/components/map/inset-corner';
import type { Evidence } from '@/lib/contract/entry';

const overview: [number, number, number, number] = [-100, -80, 20, 60];
const evidence = (...places: [number, number][]) =>
  ({ suggestion: null, candidates: places.map((place) => ({ place })) }) as unknown as Evidence;
const corner = (landing: [number, number], ...places: [number, number][]) =>
  insetCorner({ overview, landing }, evidence(...places), null);

it('puts the inset where it hides neither the landing nor a candidate nor the tile', () => {
  expect(corner([-40, 0])).toBe('bottom-right');
  expect(corner([10, -75])).toBe('top-right');
  expect(corner([10, -75], [15, 50])).toBe('bottom-left');
  expect(insetCorner({ overview, landing: [-40, 0] }, evidence(), { z: 3, x: 3, y: 6 })).toBe('top-right');
});

it('puts it where it hides fewest, and minds nothing beyond the view', () => {
  expect(corner([10, -75], [15, -70], [15, 50], [-90, -70])).toBe('top-right');
  expect(corner([-40, 0], [19, -300])).toBe('bottom-right');
});
