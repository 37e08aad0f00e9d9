import type { Feature, FeatureCollection } from 'geojson';
import type { Evidence, Fault } from '@/lib/contract/entry';
import type { LonLat } from '@/lib/crs/sphere';
import { bytesFromHex } from '@/lib/wkb/hex';
import { readWkb } from '@/lib/wkb/read-wkb';
import { type EvidenceShape, evidenceShape } from './evidence-shape';
import { areaBeside, candidatesShown, type EvidenceInput, type EvidenceView } from './evidence-view';
import { type Bbox, nearestLon } from './geodesy';
import { boxRing, landingFeatures } from './landing';

export const NOTHING: FeatureCollection = { type: 'FeatureCollection', features: [] };

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

export function areaFeatures(area: Bbox | null, landing: LonLat | null): FeatureCollection {
  const box = areaBeside(area, landing);
  return {
    type: 'FeatureCollection',
    features: box
      ? [{ type: 'Feature', properties: {}, geometry: { type: 'Polygon', coordinates: [boxRing(box)] } }]
      : [],
  };
}

/** A shape wider than this share of the overview is seen by itself: it needs no mark and no inset, and has room for faults. */
export const SEEN_BY_ITSELF = 0.4;

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
  const bare = showsFaults(view, close);
  return {
    type: 'FeatureCollection',
    features: features.filter((each) => !bare || each.properties?.kind !== 'landing'),
  };
}

/** How much of the overview the shape itself takes, 0 to 1. */
export function shareOfOverview({ overview, close_up }: EvidenceView): number {
  if (!overview || !close_up) return 0;
  const share = (from: 0 | 1, to: 2 | 3) => (close_up[to] - close_up[from]) / (overview[to] - overview[from] || 1);
  return Math.max(share(0, 2), share(1, 3));
}

/** Whether fault marks find room on the map: else the inset has them. */
export const showsFaults = (view: EvidenceView, close: boolean) => close || shareOfOverview(view) > SEEN_BY_ITSELF;

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

/** A candidate's ghost as features, beside the landing; null where there is nothing to draw. */
export function ghostShape(
  reprojected_wkb: string | null,
  leads: boolean,
  landing: LonLat | null,
): EvidenceShape | null {
  const bytes = reprojected_wkb === null ? null : bytesFromHex(reprojected_wkb);
  if (!bytes) return null;
  const shape = evidenceShape(readWkb(bytes, { max_findings: 0 }), '', false, landing?.[0]);
  const features = shape.features.features.map((each) => ({ ...each, properties: { ...each.properties, leads } }));
  return { ...shape, features: { type: 'FeatureCollection', features } };
}

/** The other pane's pointer, and the vertex that is chosen there. */
export function cursorFeatures(
  pointer: LonLat | null,
  focus: LonLat | null,
  landing: LonLat | null,
): FeatureCollection {
  const marks = [
    ['cursor', pointer],
    ['focus', focus],
  ] as const;
  return {
    type: 'FeatureCollection',
    features: marks.flatMap(([kind, place]): Feature[] =>
      place
        ? [
            {
              type: 'Feature',
              properties: { kind },
              geometry: {
                type: 'Point',
                coordinates: [landing ? nearestLon(place[0], landing[0]) : place[0], place[1]],
              },
            },
          ]
        : [],
    ),
  };
}
