/** Of a tile pyramid that halves at each zoom. */
export const MAX_TILE_ZOOM = 29;

const FORM = /^(\d{1,2})\/(\d{1,9})\/(\d{1,9})$/;

/** `z/x/y` as one number that sorts by zoom, then column (dlq.tile_key); null where the text is no tile. */
export function tileKey(text: string): bigint | null {
  const [, z, x, y] = FORM.exec(text) ?? [];
  if (z === undefined || x === undefined || y === undefined) return null;
  const zoom = Number(z);
  const side = 2 ** zoom;
  if (zoom > MAX_TILE_ZOOM || Number(x) >= side || Number(y) >= side) return null;
  return (BigInt(zoom) << 58n) | (BigInt(x) << 29n) | BigInt(y);
}
