import type { Geometry as GeoJson } from 'geojson';
import GeometryFactory from 'jsts/org/locationtech/jts/geom/GeometryFactory.js';
import GeoJSONReader from 'jsts/org/locationtech/jts/io/GeoJSONReader.js';
import GeoJSONWriter from 'jsts/org/locationtech/jts/io/GeoJSONWriter.js';
import BufferOp from 'jsts/org/locationtech/jts/operation/buffer/BufferOp.js';
import OverlayOp from 'jsts/org/locationtech/jts/operation/overlay/OverlayOp.js';
import IsValidOp from 'jsts/org/locationtech/jts/operation/valid/IsValidOp.js';

/** What the pipeline uses of a JTS geometry. */
export interface JtsGeometry {
  getArea(): number;
  isEmpty(): boolean;
}

const reader = new GeoJSONReader(new GeometryFactory());
const writer = new GeoJSONWriter();

/** Throws as JTS does: rings that are not closed, too few points. */
export function toJts(geometry: GeoJson): JtsGeometry {
  return reader.read(geometry);
}

export function fromJts(geometry: JtsGeometry): GeoJson {
  return writer.write(geometry);
}

/** Throws TopologyException where the edges cannot be noded. */
export function intersection(a: JtsGeometry, b: JtsGeometry): JtsGeometry {
  return OverlayOp.intersection(a, b);
}

export function union(a: JtsGeometry, b: JtsGeometry): JtsGeometry {
  return OverlayOp.union(a, b);
}

export function buffer(geometry: JtsGeometry, distance: number): JtsGeometry {
  return BufferOp.bufferOp(geometry, distance);
}

export function isValid(geometry: JtsGeometry): boolean {
  return IsValidOp.isValid(geometry);
}
