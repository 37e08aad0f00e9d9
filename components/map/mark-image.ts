import { CLASS_SYMBOLS, type ClassShape, symbolClass } from '@/components/ui/class-symbol';
import { candidateImage } from './candidate-image';
import { cellImage, paintRing, parseCellKey } from './cell-image';
import { PALETTES, type Palette, type Theme } from './palette';
import { arc, circle, newRaster, outline, paint, polygon, type Raster, rectangle, type Shape, stroke } from './raster';

/** Marks are drawn in a field of 24 CSS pixels, the shape of 10 in its middle. */
const FIELD = 24;
const MIDDLE = FIELD / 2;

const around = (points: readonly (readonly [number, number])[]) =>
  points.map(([x, y]) => [MIDDLE + x, MIDDLE + y] as const);

const SOLID: Record<Exclude<ClassShape, 'question_mark' | 'cross'>, Shape> = {
  square: rectangle(MIDDLE - 5, MIDDLE - 5, 10, 10, 1),
  triangle: polygon(
    around([
      [0, -6],
      [5.5, 4.5],
      [-5.5, 4.5],
    ]),
  ),
  circle: circle(MIDDLE, MIDDLE, 5.2),
  diamond: polygon(
    around([
      [0, -6],
      [6, 0],
      [0, 6],
      [-6, 0],
    ]),
  ),
};

function paintShape(raster: Raster, shape: ClassShape, fill: string, edge: string, palette: Palette): void {
  if (shape === 'question_mark') {
    const disc = circle(MIDDLE, MIDDLE, 6.5);
    paint(raster, disc, palette.raised);
    paint(raster, outline(disc, 1.5), edge);
    const hook = around([...arc(0, -1.4, 1.9, -Math.PI, 0.5), [0.15, 0.9], [0, 1.6]]);
    paint(raster, stroke(hook, 1.5), fill);
    paint(raster, circle(MIDDLE, MIDDLE + 3.5, 0.95), fill);
  } else if (shape === 'cross') {
    const arms = (width: number): Shape => {
      const down = stroke(
        around([
          [-4, -4],
          [4, 4],
        ]),
        width,
      );
      const up = stroke(
        around([
          [-4, 4],
          [4, -4],
        ]),
        width,
      );
      return (x, y) => Math.min(down(x, y), up(x, y));
    };
    paint(raster, arms(4.5), palette['map-halo']);
    paint(raster, arms(2), edge);
  } else {
    paint(raster, SOLID[shape], fill);
    paint(raster, outline(SOLID[shape], 1), edge);
  }
}

/** The shape of one entry's class, with the ring where it came back. */
export function markImage(failureClass: string, reopened: boolean, palette: Palette, ratio: number): Raster {
  const raster = newRaster(FIELD, FIELD, ratio);
  const { shape, token } = CLASS_SYMBOLS[symbolClass(failureClass)];
  paintShape(raster, shape, palette[`c-${token}`], palette[`c-${token}-edge`], palette);
  if (reopened) paintRing(raster, MIDDLE + 5, MIDDLE - 5, palette);
  return raster;
}

/** The arrow's head, pointing right; its tip is the middle. */
function arrowHead(palette: Palette, ratio: number): Raster {
  const raster = newRaster(FIELD, FIELD, ratio);
  paint(
    raster,
    polygon(
      around([
        [0, 0],
        [-8, -3.8],
        [-8, 3.8],
      ]),
    ),
    palette.accent,
  );
  return raster;
}

/** The tile's box where the tile itself would be smaller: 9 px, on a light casing. */
function tileBox(palette: Palette, ratio: number): Raster {
  const raster = newRaster(FIELD, FIELD, ratio);
  const box = rectangle(MIDDLE - 5, MIDDLE - 5, 10, 10);
  // filled, so that the arrow's end does not show through
  paint(raster, box, palette.raised);
  paint(raster, outline(box, 4.5), palette.raised);
  paint(raster, outline(box, 1.75), palette.accent);
  return raster;
}

/** The ground of a label that lies over cells: stretched under its text. */
function plate(palette: Palette, ratio: number): Raster {
  const raster = newRaster(8, 8, ratio);
  paint(raster, rectangle(0, 0, 8, 8, 2), `${palette.raised}e6`);
  return raster;
}

/** Diagonal lines, seamless at 8 px: a tile that failed. */
function hatch(palette: Palette, ratio: number): Raster {
  const raster = newRaster(8, 8, ratio);
  const line: Shape = (x, y) => {
    const along = (((x + y) % 8) + 8) % 8;
    return Math.min(along, 8 - along) / Math.SQRT2 - 0.5;
  };
  paint(raster, line, `${palette['ink-3']}99`);
  return raster;
}

/**
 * The picture behind an image name of the style, or null for a name that is none of ours. Names begin with the theme,
 * so that a change of theme never shows the other's colours.
 */
export function imageOf(name: string, ratio: number): Raster | null {
  const bar = name.indexOf('|');
  const theme = name.slice(0, bar);
  if (theme !== 'light' && theme !== 'dark') return null;
  const palette = PALETTES[theme satisfies Theme];
  const rest = name.slice(bar + 1);
  const cell = parseCellKey(rest);
  if (cell) return cellImage(cell, palette, ratio);
  const [kind, first, second] = rest.split('|');
  if (kind === 'mark') return markImage(first ?? '', second === '1', palette, ratio);
  if (kind === 'candidate') return candidateImage(first === '1', Number(second), palette, ratio);
  if (kind === 'arrow') return arrowHead(palette, ratio);
  if (kind === 'tile') return tileBox(palette, ratio);
  if (kind === 'plate') return plate(palette, ratio);
  return kind === 'hatch' ? hatch(palette, ratio) : null;
}
