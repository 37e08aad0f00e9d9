type Position = readonly number[];

/** Hex of little-endian WKB written by hand: nothing is closed, checked or left out on the way. */
export const polygonHex = (rings: readonly (readonly Position[])[]): string =>
  `0103000000${u32(rings.length)}${rings.map((ring) => u32(ring.length) + ring.map(doubles).join('')).join('')}`;

export const lineHex = (line: readonly Position[]): string =>
  `0102000000${u32(line.length)}${line.map(doubles).join('')}`;

function u32(value: number): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes.toString('hex');
}

function doubles(position: Position): string {
  const bytes = Buffer.alloc(8 * position.length);
  for (const [i, value] of position.entries()) bytes.writeDoubleLE(value, 8 * i);
  return bytes.toString('hex');
}
