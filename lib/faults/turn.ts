import { orient2d } from 'robust-predicates';
import { LONG_INTEGER_WORK, SUBNORMAL_WORK, type Work } from './work';

/**
 * Positive where a → b → c turns left, negative where it turns right, 0 where the three lie on one line: never wrong in
 * sign, whatever the rounding. The value is twice the area of the triangle, in squared units of the coordinates times a
 * constant of the function; only ratios of it are of use.
 */
export type Turn = (ax: number, ay: number, bx: number, by: number, cx: number, cy: number) => number;

/** Between these no product overflows, and none that matters underflows. */
const LARGEST_SAFE = 2 ** 500;
const SMALLEST_SAFE = 2 ** -447;

/** Power of two that brings `largest` near 1, so that differences and products of what it scales stay finite. */
export function scaleFor(largest: number, smallest: number): number {
  if (largest <= LARGEST_SAFE && smallest >= SMALLEST_SAFE) return 1;
  return 2 ** Math.min(1000, -Math.floor(Math.log2(largest)));
}

/** `largest` and `smallest` are those of the absolute values of all coordinates, without zeros. */
export function turnFor(largest: number, smallest: number, work: Work): Turn {
  const scale = scaleFor(largest, smallest);
  return scale === 1 ? plainTurn : wideTurn(scale, work);
}

/** The library's y axis points down. */
const plainTurn: Turn = (ax, ay, bx, by, cx, cy) => -orient2d(ax, ay, bx, by, cx, cy);

/** Errors of the scaled coordinates are below 2^-1074, those of the difference of products far below this. */
const UNDERFLOW_BOUND = 2 ** -1000;
/** Above Shewchuk's (3 + 16ε)ε for one difference of products. */
const ROUNDING_BOUND = 1e-15;

/** For coordinates that overflow or underflow when multiplied: a filter on scaled ones, then integers. */
function wideTurn(scale: number, work: Work): Turn {
  const call_work = scale > 1 ? SUBNORMAL_WORK : 0;
  return (ax, ay, bx, by, cx, cy) => {
    work.spend(call_work);
    const left = (ax * scale - cx * scale) * (by * scale - cy * scale);
    const right = (ay * scale - cy * scale) * (bx * scale - cx * scale);
    const det = left - right;
    if (Math.abs(det) > ROUNDING_BOUND * (Math.abs(left) + Math.abs(right)) + UNDERFLOW_BOUND) return det;
    work.spend(LONG_INTEGER_WORK);
    const x = integerOf(cx);
    const y = integerOf(cy);
    const exact = (integerOf(ax) - x) * (integerOf(by) - y) - (integerOf(ay) - y) * (integerOf(bx) - x);
    return exact > 0n ? Number.MIN_VALUE : exact < 0n ? -Number.MIN_VALUE : 0;
  };
}

const word = new DataView(new ArrayBuffer(8));

/** The finite number in units of 2^-1074, of which every double is a multiple. */
function integerOf(value: number): bigint {
  word.setFloat64(0, value);
  const bits = word.getBigUint64(0);
  const exponent = (bits >> 52n) & 0x7ffn;
  const fraction = bits & 0xfffffffffffffn;
  const magnitude = exponent === 0n ? fraction : (fraction | 0x10000000000000n) << (exponent - 1n);
  return bits >> 63n ? -magnitude : magnitude;
}
