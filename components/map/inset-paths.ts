import type { Position } from 'geojson';
import type { LonLat } from '@/lib/crs/sphere';
import { toWorld } from '@/lib/crs/web-mercator';
import type { EvidenceShape } from './evidence-shape';

export type InsetPaths = {
  fill: string;
  lines: string;
  points: readonly (readonly [number, number])[];
  /** A place of the map in the inset's pixels. */
  at: (place: LonLat) => [number, number];
};

/** More vertices than this are no picture of 90 pixels. */
const MOST_VERTICES = 2000;

/** The shape in the map's own projection, fitted into `width`×`height` with `pad` around; null where it has no extent. */
export function insetPaths(
  { features, bounds }: EvidenceShape,
  size: { width: number; height: number },
  pad: number,
): InsetPaths | null {
  if (!bounds) return null;
  const [x0, y0] = toWorld([bounds[0], bounds[3]]);
  const [x1, y1] = toWorld([bounds[2], bounds[1]]);
  const k = Math.min((size.width - 2 * pad) / (x1 - x0), (size.height - 2 * pad) / (y1 - y0));
  if (!Number.isFinite(k)) return null;
  const at = (place: LonLat): [number, number] => {
    const [x, y] = toWorld(place);
    return [size.width / 2 + (x - (x0 + x1) / 2) * k, size.height / 2 + (y - (y0 + y1) / 2) * k];
  };
  let vertices = 0;
  const path = (line: readonly Position[]) => {
    vertices += line.length;
    if (vertices > MOST_VERTICES) return '';
    return `M${line
      .map(([lon, lat]) =>
        at([lon!, lat!])
          .map((value) => value.toFixed(1))
          .join(' '),
      )
      .join('L')}`;
  };
  let [fill, lines] = ['', ''];
  const points: [number, number][] = [];
  for (const { properties, geometry } of features.features) {
    if (geometry.type === 'LineString') lines += path(geometry.coordinates);
    else if (geometry.type === 'Polygon') fill += geometry.coordinates.map(path).join('');
    else if (geometry.type === 'MultiPolygon') fill += geometry.coordinates.flat().map(path).join('');
    else if (geometry.type === 'Point' && properties?.kind === 'point' && points.length < 200)
      points.push(at(geometry.coordinates as [number, number]));
  }
  return vertices > MOST_VERTICES ? null : { fill, lines, points, at };
}
