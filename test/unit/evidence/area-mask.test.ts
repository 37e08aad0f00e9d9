import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AreaMask } from '@/components/evidence/raster-lines';

const size = { width: 24, height: 16 };

/** The pixels within, as rows of marks. */
function rows(rings: readonly (readonly number[])[], ratio = 1): string[] {
  const mask = new AreaMask(size, ratio);
  for (const ring of rings) mask.add(ring);
  const inside = mask.inside();
  const width = size.width * ratio;
  return Array.from({ length: size.height * ratio }, (_, row) =>
    [...inside.subarray(row * width, (row + 1) * width)].map((one) => (one ? '#' : '.')).join(''),
  );
}

/** Even-odd by a ray to the left, for one place. */
function isWithin(ring: readonly number[], x: number, y: number): boolean {
  let within = false;
  for (let i = 0, last = ring.length - 2; i < ring.length; last = i, i += 2) {
    const [ax, ay, bx, by] = [ring[last], ring[last + 1], ring[i], ring[i + 1]] as [number, number, number, number];
    if (ay > y !== by > y && x > ax + ((y - ay) / (by - ay)) * (bx - ax)) within = !within;
  }
  return within;
}

describe('the area of rings with many points', () => {
  it('is each pixel whose middle lies within, whatever crosses and however far the ring reaches beyond the pane', () => {
    // never on the middle of a pixel, where within and without are a matter of rounding
    const coordinate = fc.integer({ min: -4_000_000, max: 6_000_000 }).map((n) => n / 1e5 + 0.00000317);
    fc.assert(
      fc.property(fc.array(coordinate, { minLength: 6, maxLength: 20 }), (numbers) => {
        const ring = numbers.slice(0, numbers.length - (numbers.length % 2));
        const expected = Array.from({ length: size.height }, (_, y) =>
          Array.from({ length: size.width }, (_, x) => (isWithin(ring, x + 0.5, y + 0.5) ? '#' : '.')).join(''),
        );
        expect(rows([ring])).toEqual(expected);
      }),
    );
  });

  it('leaves a hole out', () => {
    const box = (from: number, to: number) => [from, from, to, from, to, to, from, to];
    const found = rows([box(2, 12), box(5, 8)]);
    expect(found[1]).toBe('.'.repeat(24));
    expect(found[3]).toBe(`..${'#'.repeat(10)}${'.'.repeat(12)}`);
    expect(found[6]).toBe(`..###...####${'.'.repeat(12)}`);
  });

  it('is finer where a CSS pixel has more device pixels', () => {
    expect(rows([[0, 0, 1.5, 0, 1.5, 1, 0, 1]], 2)[1]).toMatch(/^###\.+$/);
  });
});
