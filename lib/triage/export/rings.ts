type Position = number[];
export type GeoJsonGeometry =
  | { type: 'Polygon'; coordinates: Position[][] }
  | { type: 'MultiPolygon'; coordinates: Position[][][] }
  | { type: 'GeometryCollection'; geometries: GeoJsonGeometry[] }
  | { type: 'Point' | 'MultiPoint' | 'LineString' | 'MultiLineString'; coordinates: unknown };

/** Whether every ring ends where it began and has four vertices, as RFC 7946 §3.1.6 asks. */
export function areRingsClosed(geometry: GeoJsonGeometry): boolean {
  if (geometry.type === 'Polygon') return geometry.coordinates.every(isClosed);
  if (geometry.type === 'MultiPolygon') return geometry.coordinates.every((rings) => rings.every(isClosed));
  return geometry.type !== 'GeometryCollection' || geometry.geometries.every(areRingsClosed);
}

function isClosed(ring: Position[]): boolean {
  const [first, last] = [ring[0], ring.at(-1)];
  return ring.length >= 4 && first?.[0] === last?.[0] && first?.[1] === last?.[1];
}

/** The shells counter-clockwise and the holes clockwise, as RFC 7946 §3.1.6 asks; the same vertices otherwise. */
export function rightHanded(geometry: GeoJsonGeometry): GeoJsonGeometry {
  if (geometry.type === 'Polygon') return { ...geometry, coordinates: turned(geometry.coordinates) };
  if (geometry.type === 'MultiPolygon') return { ...geometry, coordinates: geometry.coordinates.map(turned) };
  if (geometry.type === 'GeometryCollection') return { ...geometry, geometries: geometry.geometries.map(rightHanded) };
  return geometry;
}

const turned = (rings: Position[][]): Position[][] =>
  rings.map((ring, i) => (signedArea(ring) < 0 === (i === 0) ? ring.toReversed() : ring));

/** Twice the area, positive counter-clockwise; measured from the first vertex, so that a small ring far off keeps its digits. */
function signedArea(ring: Position[]): number {
  const [x0 = 0, y0 = 0] = ring[0] ?? [];
  let area = 0;
  for (let i = 1; i < ring.length; i++) {
    const [ax = 0, ay = 0] = ring[i - 1] as Position;
    const [bx = 0, by = 0] = ring[i] as Position;
    area += (ax - x0) * (by - y0) - (bx - x0) * (ay - y0);
  }
  return area;
}
