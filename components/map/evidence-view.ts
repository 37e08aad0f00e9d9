import type { FeatureCollection } from 'geojson';
import type { Evidence, Fault } from '@/lib/contract/entry';
import { bytesFromHex } from '@/lib/wkb/hex';
import { readWkb } from '@/lib/wkb/read-wkb';
import type { WkbReading } from '@/lib/wkb/reading';
import { LEADERS } from './candidate-image';
import { type EvidenceShape, evidenceShape } from './evidence-shape';
import { faultPlaces } from './fault-places';
import { type Bbox, boundsOf, type LonLat, nearestLon, type TileAddress, tileBbox, tileCentre } from './geodesy';
import { boxRing, landingFeatures } from './landing';

export type EvidenceInput = {
  evidence: Evidence;
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

type Bounds = [number, number, number, number];
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

const read = (hex: string | null): WkbReading | null => {
  const bytes = hex === null ? null : bytesFromHex(hex);
  return bytes ? readWkb(bytes) : null;
};

/** Wider areas of use than this say nothing in an overview of one place. */
const WIDEST_AREA_DEG = 40;

/** Candidates further off than this from where the entry should lie would only shrink the overview. */
const NEAR_DEG = 6;

/** At most as many as there are leaders to hang letters on. */
const candidatesShown = (evidence: Evidence) => evidence.candidates.slice(0, LEADERS.length);

/** A, B, C… at their places; filled only where one leads, which the database's suggestion says. */
export function candidateFeatures(evidence: Evidence, landing: LonLat | null): FeatureCollection {
  return {
    type: 'FeatureCollection',
    features: candidatesShown(evidence).map(({ crs, place: [lon, lat] }, direction) => ({
      type: 'Feature',
      properties: {
        letter: String.fromCharCode(65 + direction),
        direction,
        leads: direction === 0 && crs === evidence.suggestion,
      },
      geometry: { type: 'Point', coordinates: [landing ? nearestLon(lon, landing[0]) : lon, lat] },
    })),
  };
}

/** Everything the pane shows that does not depend on the current fault. */
export function evidenceView(input: Omit<EvidenceInput, 'current_fault'>): EvidenceView {
  const { evidence, failure_class, tile, faults } = input;
  const reading = read(evidence.reprojected_wkb);
  const shape = reading ? evidenceShape(reading, failure_class, evidence.valid === true) : null;
  const bounds = shape?.bounds ?? null;
  const landing: LonLat | null = bounds ? [(bounds[0] + bounds[2]) / 2, (bounds[1] + bounds[3]) / 2] : null;
  const source = reading && faults.length > 0 ? read(evidence.geom_wkb) : null;
  const places = source && reading && bounds ? faultPlaces(faults, source, reading, bounds[0]) : faults.map(() => null);
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
  const near = tile ? tileCentre(tile) : landing;
  for (const { place } of candidatesShown(evidence))
    if (near && Math.hypot(nearestLon(place[0], near[0]) - near[0], place[1] - near[1]) < NEAR_DEG)
      corners.push([nearestLon(place[0], corners[0]?.[0] ?? place[0]), place[1]]);
  if (area && area[2] - area[0] < WIDEST_AREA_DEG && corners.length > 0)
    corners.push([area[0], area[1]], [area[2], area[3]]);
  return { reading, shape, landing, places, overview: boundsOf(corners), close_up: bounds };
}

/** The area of use on the landing's turn of the world; west > east is unwrapped. */
function areaBeside(area: Bbox | null, landing: LonLat | null): Bounds | null {
  if (!area) return null;
  const [west, south, eastGiven, north] = area;
  const east = west > eastGiven ? eastGiven + 360 : eastGiven;
  const middle = (west + east) / 2;
  const turn = landing ? nearestLon(middle, landing[0]) - middle : 0;
  return [west + turn, south, east + turn, north];
}

export function areaFeatures(area: Bbox | null, landing: LonLat | null): FeatureCollection {
  const box = areaBeside(area, landing);
  return {
    type: 'FeatureCollection',
    features: box
      ? [{ type: 'Feature', properties: {}, geometry: { type: 'Polygon', coordinates: [boxRing(box)] } }]
      : [],
  };
}

/** A shape wider than this share of the overview is seen by itself and needs no mark. */
const SEEN_BY_ITSELF = 0.08;

/**
 * Landing, tile and arrow. Where the shape itself can be seen the landing's mark would hide it; close up the arrow
 * leaves the view on its way to the tile.
 */
export function evidenceLanding(
  view: EvidenceView,
  { tile, failure_class, distance_m }: Pick<EvidenceInput, 'tile' | 'failure_class' | 'distance_m'>,
  close: boolean,
): FeatureCollection {
  const { features } = landingFeatures(view.landing, tile, failure_class, distance_m);
  const bare = close || shareOfOverview(view) > SEEN_BY_ITSELF;
  return {
    type: 'FeatureCollection',
    features: features.filter((each) => !bare || each.properties?.kind !== 'landing'),
  };
}

function shareOfOverview({ overview, close_up }: EvidenceView): number {
  if (!overview || !close_up) return 0;
  const share = (from: 0 | 1, to: 2 | 3) => (close_up[to] - close_up[from]) / (overview[to] - overview[from] || 1);
  return Math.max(share(0, 2), share(1, 3));
}

/** Numbered marks, 1 for the first fault of the table; faults without a place keep their number there. */
export function faultFeatures(
  view: EvidenceView,
  faults: readonly Fault[],
  current_fault: number | null,
): FeatureCollection {
  return {
    type: 'FeatureCollection',
    features: faults.flatMap((fault, i) => {
      const place = view.places[i];
      return place
        ? [
            {
              type: 'Feature' as const,
              properties: { number: i + 1, severity: fault.severity, current: i === current_fault },
              geometry: { type: 'Point' as const, coordinates: [...place] },
            },
          ]
        : [];
    }),
  };
}
