/** Polygons (rings of integer hundredths of a degree) as a TWKB multipolygon of two decimals. */
export function twkb(polygons) {
  const bytes = [0x46, 0x00];
  const varint = (value) => {
    let rest = value;
    while (rest > 0x7f) {
      bytes.push((rest & 0x7f) | 0x80);
      rest >>>= 7;
    }
    bytes.push(rest);
  };
  const zigzag = (value) => varint(value < 0 ? -2 * value - 1 : 2 * value);
  let [x, y] = [0, 0];
  varint(polygons.length);
  for (const rings of polygons) {
    varint(rings.length);
    for (const ring of rings) {
      varint(ring.length);
      for (const [nx, ny] of ring) {
        zigzag(nx - x);
        zigzag(ny - y);
        [x, y] = [nx, ny];
      }
    }
  }
  return Buffer.from(bytes);
}
