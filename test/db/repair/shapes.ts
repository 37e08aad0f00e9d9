/** Hex EWKB, little-endian, of shapes that no writer of WKT makes. */

const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};
const doubles = (values: readonly number[]): Buffer => Buffer.from(Float64Array.from(values).buffer);
const SRID_FLAG = 0x20000000;

function polygon(rings: readonly (readonly number[])[], srid?: number): Buffer {
  const header = srid === undefined ? [u32(3)] : [u32((3 | SRID_FLAG) >>> 0), u32(srid)];
  const body = rings.flatMap((ring) => [u32(ring.length / 2), doubles(ring)]);
  return Buffer.concat([Buffer.from([1]), ...header, u32(rings.length), ...body]);
}

/** A polygon of rings as flat x, y. */
export const ewkb = (rings: readonly (readonly number[])[], srid?: number): string =>
  polygon(rings, srid).toString('hex');

/** A multipolygon of parts of rings. */
export const ringsOf = (parts: readonly (readonly (readonly number[])[])[]): string =>
  Buffer.concat([Buffer.from([1]), u32(6), u32(parts.length), ...parts.map((rings) => polygon(rings))]).toString('hex');

export const pointlessRing = (): string => ewkb([[]]);
export const unclosed = (): string => ewkb([[0, 0, 1, 0, 1, 1, 0, 1]]);
export const infinityIn = (): string => ewkb([[0, 0, 4, 0, 4, 4, Number.POSITIVE_INFINITY, 2, 0, 4, 0, 0]]);
