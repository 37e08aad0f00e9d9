import type { Feature, FeatureCollection, Position } from 'geojson';
import { CIRCULAR_STRING, LINE_STRING, POINT, RING, strideOf } from '@/lib/wkb/geometry-type';
import { COUNT, DIMS, PARENT, PART_COLUMNS, START, TYPE } from '@/lib/wkb/parts-table';
import type { WkbReading } from '@/lib/wkb/reading';
import { EVEN_ODD_VERTICES, evenOddTrapezoids } from './even-odd';
import { boundsOf, type LonLat, nearestLon, unwrapLine } from './geodesy';

type Run = { type: number; parent: number; positions: [number, number][] };

/** Rows of the parts table that hold vertices, with their x and y. */
export function vertexRuns(reading: WkbReading): Run[] {
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

/** Continuous across 180°, and on the same turn of the world as `reference`. */
function continuous(positions: readonly [number, number][], reference: number): [number, number][] {
  const [first, ...rest] = positions.filter(finite);
  return first ? unwrapLine([[nearestLon(first[0], reference), first[1]], ...rest]) : [];
}

/** A ring that goes once round a pole ends 360° from where it began; it is closed over that pole to be filled. */
function overPole(ring: Position[]): { ring: Position[]; pole: 'north' | 'south' | null } {
  const first = ring[0];
  const last = ring.at(-1);
  if (!first || !last || ring.length < 4 || Math.abs(last[0]! - first[0]!) < 180) return { ring, pole: null };
  const north = ring.reduce((sum, position) => sum + position[1]!, 0) > 0;
  const lat = north ? 90 : -90;
  return {
    ring: [...ring, [last[0]!, lat], [first[0]!, lat], first],
    pole: north ? 'north' : 'south',
  };
}

function trapezoids(rings: readonly Position[][]): Position[][] {
  const vertices = rings.reduce((sum, ring) => sum + ring.length, 0);
  return vertices <= EVEN_ODD_VERTICES ? evenOddTrapezoids(rings) : [];
}

export type EvidenceShape = {
  /** Kinds `fill` (polygons), `line` (every ring and line) and `point`, each with `failure_class`. */
  features: FeatureCollection;
  /** Unwrapped: east may pass 180. Null where no vertex is finite. */
  bounds: [number, number, number, number] | null;
  encloses_pole: 'north' | 'south' | null;
};

/**
 * What the map draws of a geometry in EPSG:4326. Rings are drawn as lines too, exactly as stored, so that a bow-tie
 * without net area and an unclosed ring still show. A geometry that is not `sound` is filled by the even-odd rule. Vertices that are not finite are left out.
 */
export function evidenceShape(reading: WkbReading, failure_class: string, sound: boolean): EvidenceShape {
  const runs = vertexRuns(reading);
  const reference = runs.flatMap((run) => run.positions).find(finite)?.[0] ?? 0;
  const features: Feature[] = [];
  const polygons = new Map<number, Position[][]>();
  const all: LonLat[] = [];
  let encloses_pole: EvidenceShape['encloses_pole'] = null;
  for (const run of runs) {
    const positions = continuous(run.positions, reference);
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
    features.push({
      type: 'Feature',
      properties: { kind: 'line', failure_class },
      geometry: { type: 'LineString', coordinates: positions.length > 1 ? positions : [positions[0]!, positions[0]!] },
    });
    if (run.type !== RING || positions.length < 3) continue;
    const { ring, pole } = overPole(positions);
    encloses_pole ??= pole;
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
