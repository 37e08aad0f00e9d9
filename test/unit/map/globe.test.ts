import { describe, expect, it } from 'vitest';
import { globeView, isPolar } from '@/components/map/evidence-globe';
import { evidenceShape } from '@/components/map/evidence-shape';
import { insetPaths } from '@/components/map/inset-paths';
import { readWkb } from '@/lib/wkb/read-wkb';
import { Bytes, square } from '../evidence/hex-geometries';

const size = { width: 260, height: 184 };

describe('the globe', () => {
  it('is for what lies beyond 80° or goes round a pole', () => {
    expect(isPolar([0, 79, 1, 80], null)).toBe(false);
    expect(isPolar([0, 70, 1, 80.5], null)).toBe(true);
    expect(isPolar([0, -81, 1, -70], null)).toBe(true);
    expect(isPolar([-180, 60, 180, 70], 'north')).toBe(true);
    expect(isPolar(null, null)).toBe(false);
  });

  it('looks down on the pole that is gone round, far enough to see the whole cap', () => {
    const near = globeView([-180, 80, 180, 81], 'north', size, 19);
    const far = globeView([-180, 60, 180, 61], 'north', size, 19);
    expect(near.center[1]).toBe(85);
    expect(far.zoom).toBeLessThan(near.zoom - 1);
    expect(globeView([-180, -81, 180, -80], 'south', size, 19).center[1]).toBe(-85);
  });

  it('comes as close to a small shape as it may', () => {
    expect(globeView([10, 82, 10, 82], null, size, 19)).toEqual({ center: [10, 82], zoom: 19 });
  });
});

describe('the inset', () => {
  const shapeOf = (bytes: Bytes) => evidenceShape(readWkb(bytes.bytes), 'oom', true);

  it('fits the shape into its pixels, the north up', () => {
    const paths = insetPaths(shapeOf(new Bytes().polygon([square(10, 50, 0.01)])), { width: 92, height: 74 }, 12)!;
    const [left, bottom] = paths.at([10, 50]);
    const [right, top] = paths.at([10.01, 50.01]);
    expect(bottom).toBeCloseTo(62, 6);
    expect(top).toBeCloseTo(12, 6);
    expect(left + right).toBeCloseTo(92, 6);
    expect(paths.fill).toMatch(/^M/);
    expect(paths.lines.match(/L/g)?.length).toBe(4);
  });

  it('is left away for a single place and for what is too much for it', () => {
    expect(insetPaths(shapeOf(new Bytes().point([1, 2])), size, 12)).toBeNull();
    const many = Array.from({ length: 3000 }, (_, i) => [i / 3000, (i % 7) / 7]);
    expect(insetPaths(shapeOf(new Bytes().line(many)), size, 12)).toBeNull();
  });
});
