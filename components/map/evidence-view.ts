import { listedAtFirst } from '@/components/evidence/candidate-words.model';
import type { Evidence, Fault } from '@/lib/contract/entry';
import type { LonLat } from '@/lib/crs/sphere';
import { type TileAddress, tileBbox, tileCentre } from '@/lib/crs/web-mercator';
import type { WkbReading } from '@/lib/wkb/reading';
import { LEADERS } from './candidate-image';
import { type EvidenceShape, evidenceShape, type Tables } from './evidence-shape';
import { faultPlaces } from './fault-places';
import { type Bbox, boundsOf, nearestLon } from './geodesy';

export type EvidenceInput = {
  evidence: Evidence;
  /** The reprojected geometry, read; null where there is none. */
  reading: WkbReading | null;
  /** The geometry as stored, read; null where it is not here. */
  source: Tables | null;
  /** The checked transform from source units, once it is loaded. */
  toLonLat?: ((place: LonLat) => LonLat | null) | null;
  failure_class: string;
  /** The Web Mercator tile that the task worked on, or null. */
  tile: TileAddress | null;
  /** From the geometry to that tile as the database measured it; null where it was not. */
  distance_m?: number | null;
  faults: readonly Fault[];
  /** Index in `faults`, or null. */
  current_fault: number | null;
  area_of_use: Bbox | null;
};

export type Bounds = [number, number, number, number];
export type EvidenceView = {
  reading: WkbReading | null;
  shape: EvidenceShape | null;
  /** Middle of what was drawn; null where nothing has a place. */
  landing: LonLat | null;
  /** One place a fault, unwrapped beside the shape; null where it has none. */
  places: (LonLat | null)[];
  /** Bounds of both extents; null where there is nothing to show. */
  overview: Bounds | null;
  close_up: Bounds | null;
};

/** Wider areas of use than this say nothing in an overview of one place. */
const WIDEST_AREA_DEG = 40;

/** Wider ones are the whole world's. */
const ROUND_THE_WORLD_DEG = 359;

/** Candidates further off than this from where the entry should lie would only shrink the overview. */
const NEAR_DEG = 6;
const NEAR_EACH_OTHER_DEG = 90;

/** An overview shows at least this much, so that coasts and names say where on the Earth it is. */
const LEAST_OVERVIEW_DEG = 6;

/** Those that the table lists at first, and at most as many as there are leaders to hang letters on. */
export const candidatesShown = (evidence: Evidence) =>
  evidence.candidates.slice(0, Math.min(LEADERS.length, listedAtFirst(evidence)));

/** Everything the pane shows that does not depend on the current fault. */
export function evidenceView(input: Omit<EvidenceInput, 'current_fault'>): EvidenceView {
  const { evidence, failure_class, tile, faults, reading, source, toLonLat } = input;
  const shape = reading ? evidenceShape(reading, failure_class, evidence.valid === true) : null;
  const bounds = shape?.bounds ?? null;
  const landing: LonLat | null = bounds ? [(bounds[0] + bounds[2]) / 2, (bounds[1] + bounds[3]) / 2] : null;
  const places =
    source && reading && bounds ? faultPlaces(faults, source, reading, bounds[0], toLonLat) : faults.map(() => null);
  const corners: LonLat[] = bounds
    ? [
        [bounds[0], bounds[1]],
        [bounds[2], bounds[3]],
      ]
    : [];
  if (tile) {
    const [west, south, east, north] = tileBbox(tile);
    const turn = landing ? nearestLon(tileCentre(tile)[0], landing[0]) - tileCentre(tile)[0] : 0;
    corners.push([west + turn, south], [east + turn, north]);
  }
  const area = areaBeside(input.area_of_use, landing);
  const near = tile ? tileCentre(tile) : (landing ?? evidence.candidates[0]?.place ?? null);
  // without a place of its own and without a tile the candidates are all there is to see
  const within = tile || landing ? NEAR_DEG : NEAR_EACH_OTHER_DEG;
  for (const { place } of candidatesShown(evidence))
    if (near && Math.hypot(nearestLon(place[0], near[0]) - near[0], place[1] - near[1]) < within)
      corners.push([nearestLon(place[0], corners[0]?.[0] ?? place[0]), place[1]]);
  if (area && area[2] - area[0] < WIDEST_AREA_DEG && corners.length > 0)
    corners.push([area[0], area[1]], [area[2], area[3]]);
  return { reading, shape, landing, places, overview: withGround(boundsOf(corners)), close_up: bounds };
}

function withGround(bounds: Bounds | null): Bounds | null {
  if (!bounds) return null;
  const [west, south, east, north] = bounds;
  const x = Math.max(0, LEAST_OVERVIEW_DEG - (east - west)) / 2;
  const y = Math.max(0, LEAST_OVERVIEW_DEG - (north - south)) / 2;
  return [west - x, Math.max(-90, south - y), east + x, Math.min(90, north + y)];
}

/** The area of use on the landing's turn of the world; west > east is unwrapped. Null without one, or where it goes round the world. */
export function areaBeside(area: Bbox | null, landing: LonLat | null): Bounds | null {
  if (!area) return null;
  const [west, south, eastGiven, north] = area;
  const east = west > eastGiven ? eastGiven + 360 : eastGiven;
  // all the way round there is no edge: at 180° a line would look like one
  if (east - west > ROUND_THE_WORLD_DEG) return null;
  const middle = (west + east) / 2;
  const turn = landing ? nearestLon(middle, landing[0]) - middle : 0;
  return [west + turn, south, east + turn, north];
}
