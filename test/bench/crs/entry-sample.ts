import { sampleVertices, type VertexSample } from '@/lib/crs/vertex-sample';
import { ewkbFromWkt } from '@/lib/wkb/from-wkt';
import { readWkb } from '@/lib/wkb/read-wkb';
import type { Entry, Point } from './draft';

/** 0.01° of a great circle: what a datum may shift, and half the width of a town. */
export const SAME_PLACE_M = 1_112;

/** Through the bytes, as a captured geometry goes. */
export function sampleOf({ points }: Pick<Entry, 'points'>): VertexSample {
  const text = points.map(([x, y]) => `${x} ${y}`).join(',');
  const geometry = ewkbFromWkt(points.length === 1 ? `POINT(${text})` : `LINESTRING(${text})`);
  const sample = 'bytes' in geometry ? sampleVertices(readWkb(geometry.bytes)) : null;
  if (!sample) throw new Error(`no sample of ${text}`);
  return sample;
}

/** Where the medoid really lies. */
export function truePlace(entry: Entry, { medoid }: VertexSample): Point {
  const i = entry.points.findIndex(([x, y]) => x === medoid[0] && y === medoid[1]);
  return entry.places[i] as Point;
}
