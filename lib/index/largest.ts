import type { FacetCounts, ValueCount } from './answers';
import { compareValues, type Values } from './values';

export interface CodeCount {
  code: number;
  count: number;
}

/** The codes with the largest counts, the largest first, then by value; `distinct` is the number of counts over 0. */
export function largest(counts: Uint32Array, values: Values, limit: number): { codes: CodeCount[]; distinct: number } {
  const before = (a: CodeCount, b: CodeCount) =>
    b.count - a.count || compareValues(values.textOf(a.code), values.textOf(b.code));
  let codes: CodeCount[] = [];
  let distinct = 0;
  let least = 1;
  const cut = () => {
    codes.sort(before);
    codes = codes.slice(0, limit);
    if (codes.length === limit) least = Math.max(1, codes[limit - 1]?.count ?? 1);
  };
  for (let code = 0; code < counts.length; code += 1) {
    const count = counts[code]!;
    if (count === 0) continue;
    distinct += 1;
    if (count < least) continue;
    codes.push({ code, count });
    if (codes.length >= 4 * limit + 64) cut();
  }
  cut();
  return { codes, distinct };
}

export function facetOf(counts: Uint32Array, values: Values, limit: number): FacetCounts {
  const { codes, distinct } = largest(counts, values, limit);
  return { values: codes.map(({ code, count }): ValueCount => ({ value: values.textOf(code), count })), distinct };
}
