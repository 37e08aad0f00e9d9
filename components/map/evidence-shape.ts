import type { Feature, FeatureCollection, Position } from 'geojson';
import type { LonLat } from '@/lib/crs/sphere';
import { CIRCULAR_STRING, LINE_STRING, POINT, RING, strideOf } from '@/lib/wkb/geometry-type';
import { COUNT, DIMS, PARENT, PART_COLUMNS, START, TYPE } from '@/lib/wkb/parts-table';
import type { WkbReading } from '@/lib/wkb/reading';
import { EVEN_ODD_VERTICES, evenOddTrapezoids } from './even-odd';
import { boundsOf } from './geodesy';
import { closeOverPole, type Pole, poleOf } from './over-pole';
import { isSplitAt180, withoutSeam } from './seam';
import { continuous } from './unwrap';

/** Of a reading, what the shape is drawn from. */
export type Tables = Pick<WkbReading, 'coords' | 'parts' | 'part_count'>;
type Run = { type: number; parent: number; positions: [number, number][] };

/** Rows of the parts table that hold vertices, with their x and y. */
export function vertexRuns(reading: Tables): Run[] {
  const runs: Run[] = [];
  for (let row = 0; row < reading.part_count; row++) {
    const at = row * PART_COLUMNS;
    const type = reading.parts[at + TYPE]!;
    if (type !== RING && type !== POINT && type !== LINE_STRING && type !== CIRCULAR_STRING) continue;
    const stride = strideOf(reading.parts[at + DIMS]!);
    const start = reading.parts[at + START]!;
    const positions = Array.from({ length: reading.parts[at + COUNT]! }, (_, i): [number, number] => [
      reading.coords[start + i * stride]!,
      reading.coords[start + i * stride + 1]!,
    ]);
    runs.push({ type, parent: reading.parts[at + PARENT]!, positions });
  }
  return runs;
}

const finite = (position: LonLat) => Number.isFinite(position[0]) && Number.isFinite(position[1]);

function trapezoids(rings: readonly Position[][]): Position[][] {
  const vertices = rings.reduce((sum, ring) => sum + ring.length, 0);
  return vertices <= EVEN_ODD_VERTICES ? evenOddTrapezoids(rings) : [];
}

export type EvidenceShape = {
  /** Kinds `fill` (polygons), `line` (every ring and line) and `point`, each with `failure_class`. */
  features: FeatureCollection;
  /** Unwrapped: east may pass 180. Null where no vertex is finite. */
  bounds: [number, number, number, number] | null;
  encloses_pole: Pole | null;
};

/**
 * What the map draws of a geometry in EPSG:4326. Rings are drawn as lines too, exactly as stored, so that a bow-tie
 * without net area and an unclosed ring still show; of a geometry that was split at 180° the cut itself is not drawn. A
 * geometry that is not `sound` is filled by the even-odd rule. Vertices that are not finite are left out. It lies on the turn
 * of the world of the longitude `beside`, else of its own first vertex.
 */
export function evidenceShape(reading: Tables, failure_class: string, sound: boolean, beside?: number): EvidenceShape {
  const runs = vertexRuns(reading);
  const reference = beside ?? runs.flatMap((run) => run.positions).find(finite)?.[0] ?? 0;
  const features: Feature[] = [];
  const polygons = new Map<number, Position[][]>();
  const all: LonLat[] = [];
  const split = isSplitAt180(runs.map((run) => run.positions));
  let encloses_pole: EvidenceShape['encloses_pole'] = null;
  for (const run of runs) {
    const positions = continuous(run.positions.filter(finite), reference);
    if (positions.length === 0) continue;
    // one by one: as arguments of one call a hundred thousand would overflow the stack
    for (const position of positions) all.push(position);
    if (run.type === POINT) {
      features.push({
        type: 'Feature',
        properties: { kind: 'point', failure_class },
        geometry: { type: 'Point', coordinates: positions[0]! },
      });
      continue;
    }
    for (const line of split ? withoutSeam(positions) : [positions])
      features.push({
        type: 'Feature',
        properties: { kind: 'line', failure_class },
        geometry: { type: 'LineString', coordinates: line.length > 1 ? line : [line[0]!, line[0]!] },
      });
    if (run.type !== RING || positions.length < 3) continue;
    const { ring, pole } = closeOverPole(positions);
    encloses_pole ??= pole ?? poleOf(positions);
    polygons.set(run.parent, [...(polygons.get(run.parent) ?? []), ring]);
  }
  const fills = [...polygons.values()].map(
    (rings): Feature => ({
      type: 'Feature',
      properties: { kind: 'fill', failure_class },
      geometry: sound
        ? { type: 'Polygon', coordinates: rings }
        : { type: 'MultiPolygon', coordinates: trapezoids(rings).map((ring) => [ring]) },
    }),
  );
  return {
    features: { type: 'FeatureCollection', features: [...fills, ...features] },
    bounds: boundsOf(all),
    encloses_pole,
  };
}
