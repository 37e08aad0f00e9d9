type LonLat = readonly [number, number];

/** ST_WrapX puts a cut exactly there; a coordinate of the data is seldom within a micrometre. */
const ON_180 = 1e-11;
const on180 = (lon: number) => Math.abs(Math.abs(lon) - 180) < ON_180 || Math.abs(Math.abs(lon) - 540) < ON_180;
const onPole = (lat: number) => Math.abs(Math.abs(lat) - 90) < ON_180;

/**
 * Whether lines have edges along 180° on both sides of it: the mark of a geometry that was split there, whose halves meet.
 * A geometry that merely ends at 180° has them on one side.
 */
export function isSplitAt180(lines: readonly (readonly LonLat[])[]): boolean {
  let [east, west] = [false, false];
  for (const line of lines)
    for (let i = 1; i < line.length; i++) {
      const [lon, lat] = line[i]!;
      const [before, lat_before] = line[i - 1]!;
      if (!on180(lon) || lon !== before || lat === lat_before) continue;
      if (lon > 0) east = true;
      else west = true;
      if (east && west) return true;
    }
  return false;
}

/** The line without what runs along 180° or along a pole: those edges were added by the split, they are no data. */
export function withoutSeam(line: readonly [number, number][]): [number, number][][] {
  const pieces: [number, number][][] = [];
  let piece: [number, number][] = [];
  line.forEach((position, i) => {
    const before = line[i - 1];
    if (before && isSeam(before, position)) {
      if (piece.length > 1) pieces.push(piece);
      piece = [];
    }
    piece.push(position);
  });
  if (piece.length > 1) pieces.push(piece);
  return pieces;
}

const isSeam = (a: LonLat, b: LonLat) =>
  (on180(a[0]) && on180(b[0]) && a[0] === b[0]) || (onPole(a[1]) && onPole(b[1]));
