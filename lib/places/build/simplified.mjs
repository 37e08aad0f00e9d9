/** Degrees; a point nearer than this to the line between kept neighbours is left out. */
const STRAIGHT = 0.01;

/** The polygons of a geometry, as rings of hundredths of a degree; what shrinks to less than a triangle goes. */
export function simplified({ type, coordinates }) {
  const polygons = type === 'Polygon' ? [coordinates] : type === 'MultiPolygon' ? coordinates : [];
  return polygons
    .map((rings) => rings.map(simplifiedRing))
    .filter(([shell]) => shell.length >= 4)
    .map(([shell, ...holes]) => [shell, ...holes.filter((hole) => hole.length >= 4)]);
}

function simplifiedRing(ring) {
  const half = ring.length >> 1;
  const kept = [...between(ring, 0, half), ...between(ring, half, ring.length - 1), ring.length - 1];
  const rounded = kept.map((index) => ring[index].map((value) => Math.round(value * 100) + 0));
  return rounded.filter(([x, y], index) => index === 0 || x !== rounded[index - 1][0] || y !== rounded[index - 1][1]);
}

/** Douglas and Peucker: indexes of the kept points from `first` on, without `last`. */
function between(ring, first, last) {
  let far = -1;
  let most = STRAIGHT;
  for (let index = first + 1; index < last; index++) {
    const distance = fromLine(ring[index], ring[first], ring[last]);
    if (distance > most) [far, most] = [index, distance];
  }
  return far < 0 ? [first] : [...between(ring, first, far), ...between(ring, far, last)];
}

function fromLine([x, y], [ax, ay], [bx, by]) {
  const [dx, dy] = [bx - ax, by - ay];
  const length = dx * dx + dy * dy;
  const t = length === 0 ? 0 : Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / length));
  return Math.hypot(x - ax - t * dx, y - ay - t * dy);
}
