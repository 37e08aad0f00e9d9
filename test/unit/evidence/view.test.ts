import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { graticule, niceStep } from '@/components/evidence/graticule.model';
import {
  type Box,
  fitView,
  panBy,
  toScreenX,
  toScreenY,
  toSourceX,
  toSourceY,
  zoomAt,
} from '@/components/evidence/view.model';

const size = { width: 240, height: 184 };
const finite = fc.double({ noNaN: true, noDefaultInfinity: true });

describe('the view of a pane', () => {
  it('fits any finite box into the pane, with its middle in the middle', () => {
    fc.assert(
      fc.property(finite, finite, finite, finite, (a, b, c, d) => {
        const box: Box = [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)];
        const view = fitView(box, size, 18);
        expect(Number.isFinite(view.cx) && Number.isFinite(view.cy)).toBe(true);
        expect(view.k).toBeGreaterThan(0);
        expect(Number.isFinite(view.k)).toBe(true);
        for (const x of [box[0], box[2]]) expect(Math.abs(toScreenX(view, size, x) - 120)).toBeLessThanOrEqual(121);
        for (const y of [box[1], box[3]]) expect(Math.abs(toScreenY(view, size, y) - 92)).toBeLessThanOrEqual(93);
      }),
    );
  });

  it('keeps a tenth of a millimetre apart at six million metres from the origin', () => {
    const view = { cx: 6_000_000, cy: 6_000_000, k: 10_000 };
    expect(toScreenX(view, size, 6_000_000.0001) - toScreenX(view, size, 6_000_000)).toBeCloseTo(1, 3);
  });

  it('shows one point with some ground around', () => {
    const view = fitView([-81.7, 41.5, -81.7, 41.5], size, 18);
    expect(toSourceX(view, size, 240) - toSourceX(view, size, 0)).toBeGreaterThan(0.01);
  });

  it('keeps the place under the pointer while it zooms', () => {
    const view = fitView([0, 0, 100, 100], size, 18);
    const next = zoomAt(view, size, 3, 30, 40);
    expect(next.k / view.k).toBeCloseTo(3);
    expect(toSourceX(next, size, 30)).toBeCloseTo(toSourceX(view, size, 30));
    expect(toSourceY(next, size, 40)).toBeCloseTo(toSourceY(view, size, 40));
  });

  it('stops zooming where neighbouring doubles are pixels apart', () => {
    let view = fitView([-81.7, 41.4, -81.6, 41.5], size, 18);
    for (let i = 0; i < 200; i++) view = zoomAt(view, size, 10, 120, 92);
    expect(view.k * 81.7 * Number.EPSILON).toBeLessThan(size.width);
  });

  it('moves with the pointer', () => {
    const view = { cx: 0, cy: 0, k: 2 };
    expect(panBy(view, 10, 6)).toEqual({ cx: -5, cy: 3, k: 2 });
  });
});

describe('the graticule', () => {
  it('steps by 1, 2 or 5 times a power of ten, the smallest that is far enough apart', () => {
    const steps = [0.9, 1, 1.1, 2.1, 5.1, 99, 0.00013].map((least) => {
      const { mantissa, exponent } = niceStep(least);
      return Number(`${mantissa}e${exponent}`);
    });
    expect(steps).toEqual([1, 1, 2, 5, 10, 100, 0.0002]);
  });

  it('labels decimal multiples without the digits that float64 adds', () => {
    const { xs } = graticule({ cx: 0.25, cy: 0, k: 600 }, size, 52);
    expect(xs.map(({ text }) => text)).toEqual(['0.1', '0.2', '0.3', '0.4']);
    expect(xs.map(({ value }) => value)).toEqual([0.1, 0.2, 0.3, 0.4]);
  });

  it('labels state plane feet ungrouped and huge numbers in powers of ten', () => {
    expect(graticule({ cx: 2184560, cy: 0, k: 0.6 }, size, 52).xs.map(({ text }) => text)).toContain('2184600');
    expect(graticule({ cx: 1e30, cy: 0, k: 1e-21 }, size, 52).xs[0]?.text).toMatch(/e\+(29|30)$/);
  });

  it('draws no lines where a step is smaller than the distance between doubles', () => {
    expect(graticule({ cx: 1e30, cy: 0, k: 1 }, size, 52).xs).toEqual([]);
  });
});
