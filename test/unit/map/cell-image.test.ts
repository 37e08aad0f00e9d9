import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bands, cellImage, cellKey, cellPicture, cellSide, parseCellKey } from '@/components/map/cell-image';
import { imageOf } from '@/components/map/mark-image';
import { PALETTES } from '@/components/map/palette';
import { type Raster, rgba } from '@/components/map/raster';
import { SYMBOL_CLASSES } from '@/components/ui/class-symbol';

const counts = fc.record(Object.fromEntries(SYMBOL_CLASSES.map((name) => [name, fc.nat(5000)])));

/** The colour at a CSS pixel of the picture. */
function pixel({ data, width, ratio }: Raster, x: number, y: number): number[] {
  const at = (Math.floor(y * ratio) * width + Math.floor(x * ratio)) * 4;
  return [...data.slice(at, at + 4)];
}

describe('cells', () => {
  it('grow at 1, 3, 10, 30 and 100 entries', () => {
    expect([1, 2, 3, 9, 10, 29, 30, 99, 100, 1e6].map(cellSide)).toEqual([4, 4, 7, 7, 10, 10, 13, 13, 15, 15]);
  });

  it('are filled to the brim by at most three classes, none under 2 px, the largest at the bottom', () => {
    fc.assert(
      fc.property(counts, (given) => {
        const picture = cellPicture(given, 0);
        const filled = bands(picture);
        const present = SYMBOL_CLASSES.filter((name) => (given[name] ?? 0) > 0).length;
        if (present === 0) return expect(filled).toEqual([]);
        expect(filled.length).toBe(Math.min(3, present, Math.floor(picture.side / 2)));
        expect(filled.reduce((sum, band) => sum + band.height, 0)).toBe(picture.side);
        for (const band of filled) expect(band.height).toBeGreaterThanOrEqual(2);
        const [first, second] = filled;
        if (second) expect(given[first!.name]).toBeGreaterThanOrEqual((given[second.name] ?? 0) * 0.5);
      }),
    );
  });

  it('keep one entry among thousands visible', () => {
    expect(bands(cellPicture({ crs_mismatch: 4999, oom: 1 }, 0))).toEqual([
      { name: 'crs_mismatch', height: 13 },
      { name: 'oom', height: 2 },
    ]);
  });

  it('have a key that says all that is drawn', () => {
    fc.assert(
      fc.property(counts, fc.nat(3), (given, reopened) => {
        const picture = cellPicture(given, reopened);
        expect(parseCellKey(cellKey(picture))).toEqual(picture);
      }),
    );
    expect(parseCellKey('mark|oom|0')).toBeNull();
  });

  it.each([1, 2, 1.5])('are drawn in their classes’ colours at ratio %d', (ratio) => {
    const palette = PALETTES.light;
    const image = cellImage(cellPicture({ invalid_geometry: 60, unknown: 40 }, 1), palette, ratio);
    const size = image.width / ratio;
    expect(size).toBeCloseTo(27, 0);
    expect(pixel(image, 13.5, 18)).toEqual(rgba(palette['c-geom']));
    expect(pixel(image, 13.5, 8.5)).toEqual(rgba(palette['c-unk']));
    expect(pixel(image, 1, 13.5)[3]).toBe(0);
    expect(pixel(image, 21, 6)).toEqual(rgba(palette.raised));
  });
});

describe('images by name', () => {
  it('exist for every name that the style makes, in both themes', () => {
    for (const theme of ['light', 'dark'])
      for (const name of [
        ...SYMBOL_CLASSES.map((each) => `mark|${each}|1`),
        'mark|a word of theirs|0',
        'tile',
        'arrow',
        'hatch',
        'candidate|1|0',
        'candidate|0|3',
      ]) {
        const image = imageOf(`${theme}|${name}`, 2);
        expect(image, name).not.toBeNull();
        expect(
          image!.data.some((value) => value > 0),
          name,
        ).toBe(true);
      }
  });

  it('are not invented for a name of no one', () => {
    for (const name of ['', 'airport', 'light|', 'light|unheard', 'sepia|tile']) expect(imageOf(name, 1)).toBeNull();
  });

  it('draw each class in a shape of its own, also without colour', () => {
    const shapes = SYMBOL_CLASSES.map((name) => {
      const { data } = imageOf(`light|mark|${name}|0`, 1)!;
      return Array.from({ length: data.length / 4 }, (_, i) => (data[i * 4 + 3]! > 127 ? 1 : 0)).join('');
    });
    expect(new Set(shapes).size).toBe(SYMBOL_CLASSES.length);
  });
});
