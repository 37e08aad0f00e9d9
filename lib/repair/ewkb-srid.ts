const SRID_FLAG = 0x20000000;

/**
 * The same bytes under another SRID on the root, or under none (null); every other byte stays. The root's header must have
 * been read before. ISO WKB becomes EWKB by the flag alone: its type number, with the thousands of Z and M, is kept.
 */
export function withSrid(wkb: Uint8Array, srid: number | null): Uint8Array {
  const view = new DataView(wkb.buffer, wkb.byteOffset, wkb.byteLength);
  const little = view.getUint8(0) === 1;
  const word = view.getUint32(1, little);
  const body = wkb.subarray(word & SRID_FLAG ? 9 : 5);
  const out = new Uint8Array((srid === null ? 5 : 9) + body.byteLength);
  const header = new DataView(out.buffer);
  header.setUint8(0, little ? 1 : 0);
  header.setUint32(1, (srid === null ? word & ~SRID_FLAG : word | SRID_FLAG) >>> 0, little);
  if (srid !== null) header.setUint32(5, srid, little);
  out.set(body, srid === null ? 5 : 9);
  return out;
}
