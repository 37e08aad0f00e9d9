import type { Geometry, Position } from 'geojson';
import wkx from 'wkx';

export type Bbox = [west: number, south: number, east: number, north: number];

/** Hex WKB as GeoJSON. Throws as wkx does: RangeError past the end of the bytes, Error for a type that it does not know. */
export function readWkb(hex: string): Geometry {
  return wkx.Geometry.parse(Buffer.from(hex, 'hex')).toGeoJSON() as Geometry;
}

/** Every vertex through a function, the structure kept. */
export function mapVertices(geometry: Geometry, change: (vertex: Position) => Position): Geometry {
  switch (geometry.type) {
    case 'Point':
      return { type: 'Point', coordinates: change(geometry.coordinates) };
    case 'LineString':
    case 'MultiPoint':
      return { type: geometry.type, coordinates: geometry.coordinates.map(change) };
    case 'Polygon':
    case 'MultiLineString':
      return { type: geometry.type, coordinates: geometry.coordinates.map((ring) => ring.map(change)) };
    case 'MultiPolygon':
      return {
        type: 'MultiPolygon',
        coordinates: geometry.coordinates.map((polygon) => polygon.map((ring) => ring.map(change))),
      };
    case 'GeometryCollection':
      return { type: 'GeometryCollection', geometries: geometry.geometries.map((one) => mapVertices(one, change)) };
  }
}

/** Bounds over all vertices; NaN where one is. */
export function bboxOf(geometry: Geometry): Bbox {
  const box: Bbox = [Infinity, Infinity, -Infinity, -Infinity];
  mapVertices(geometry, (vertex) => {
    const [x = Number.NaN, y = Number.NaN] = vertex;
    box[0] = Math.min(box[0], x);
    box[1] = Math.min(box[1], y);
    box[2] = Math.max(box[2], x);
    box[3] = Math.max(box[3], y);
    return vertex;
  });
  return box;
}

export function bboxText(box: Bbox, digits = 4): string {
  return box.map((value) => value.toFixed(digits)).join(' ');
}

export function rectangle([west, south, east, north]: Bbox): Geometry {
  return {
    type: 'Polygon',
    coordinates: [
      [
        [west, south],
        [east, south],
        [east, north],
        [west, north],
        [west, south],
      ],
    ],
  };
}
