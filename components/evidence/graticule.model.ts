import { type Size, shownBox, type View } from './view.model';

export type GraticuleLine = { value: number; text: string };
export type Graticule = { step: number; xs: GraticuleLine[]; ys: GraticuleLine[] };

/** More lines than this on one axis are a sign of numbers beyond float64, not of a graticule. */
const MOST_LINES = 64;

/** The smallest of 1, 2, 5 times a power of ten that is at least `least`, as mantissa and exponent. */
export function niceStep(least: number): { mantissa: 1 | 2 | 5; exponent: number } {
  let exponent = Math.floor(Math.log10(least));
  const mantissa = least / 10 ** exponent;
  // 10 ** -320 is not exact; the comparison forgives its last digits
  const reached = (m: number) => mantissa <= m * (1 + 1e-9);
  if (reached(1)) return { mantissa: 1, exponent };
  if (reached(2)) return { mantissa: 2, exponent };
  if (reached(5)) return { mantissa: 5, exponent };
  exponent++;
  return { mantissa: 1, exponent };
}

/** The multiples of the step between two values, each the double nearest to its decimal, with its text. */
function linesBetween(from: number, to: number, mantissa: number, exponent: number): GraticuleLine[] {
  const step = Number(`${mantissa}e${exponent}`);
  const first = Math.ceil(from / step);
  const last = Math.floor(to / step);
  if (!(last - first < MOST_LINES) || Math.abs(first) > 2 ** 50 || Math.abs(last) > 2 ** 50) return [];
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => {
    const value = Number(`${(first + i) * mantissa}e${exponent}`);
    return { value, text: axisText(value, exponent) };
  });
}

/** Ungrouped, with as many decimals as the step has; numbers too long for an axis in powers of ten. */
export function axisText(value: number, exponent: number): string {
  if (value === 0) return '0';
  const digits = Math.floor(Math.log10(Math.abs(value))) - exponent;
  if (Math.abs(value) >= 1e12 || exponent < -9) return value.toExponential(Math.min(Math.max(digits, 0), 15));
  return value.toFixed(Math.max(0, -exponent));
}

/** Lines at 1, 2 or 5·10ⁿ source units, at least `gap` pixels apart, with their labels. */
export function graticule(view: View, size: Size, gap: number): Graticule {
  const { mantissa, exponent } = niceStep(gap / view.k);
  const [west, south, east, north] = shownBox(view, size);
  return {
    step: Number(`${mantissa}e${exponent}`),
    xs: linesBetween(west, east, mantissa, exponent),
    ys: linesBetween(south, north, mantissa, exponent),
  };
}
