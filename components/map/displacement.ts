import type { Feature, FeatureCollection } from 'geojson';
import type { DisplacementGroup } from '@/lib/contract/displacement';
import { distanceText } from '@/lib/crs/distance-words';
import type { LonLat } from '@/lib/crs/sphere';
import { MAX_LAT, toWorld } from '@/lib/crs/web-mercator';
import { nearestLon } from './geodesy';
import { point } from './landing';

/** Arrows on the map, and rows of the list before “more”. */
export const SHOWN_GROUPS = 12;
/** An arrow shorter than this on screen would be a head alone. */
const ARROW_MIN_PX = 36;
/** A place at the map's edge is drawn where its end still shows. */
const DRAWN_LAT = 84.4;

const onTheMap = ([lon, lat]: LonLat): LonLat =>
  Math.abs(lat) < MAX_LAT - 0.01 ? [lon, lat] : [lon, Math.sign(lat) * DRAWN_LAT];

/** The displaced groups before those that lie in their tiles, each part the largest first. */
export function orderedGroups(groups: readonly DisplacementGroup[]): DisplacementGroup[] {
  const last = ({ kind }: DisplacementGroup) => Number(kind === 'in_tiles' || kind === null);
  return groups.toSorted((a, b) => last(a) - last(b) || b.count - a.count);
}

/**
 * An arrow a group, for the first SHOWN_GROUPS of `ordered` whose entries go one way: kinds `landing`, `arrow` (its
 * `label` is the group's number in the list and the distance) and `arrow_head`. What is too short at this zoom is left
 * out; over 180° an arrow goes the short way.
 */
export function displacementFeatures(ordered: readonly DisplacementGroup[], zoom: number): FeatureCollection {
  const features = ordered.slice(0, SHOWN_GROUPS).flatMap((group, i) => arrowOf(group, i + 1, zoom));
  return { type: 'FeatureCollection', features };
}

function arrowOf({ from, to, bearing, distance_m }: DisplacementGroup, number: number, zoom: number): Feature[] {
  if (!from || !to || bearing === null || distance_m === null) return [];
  const start = onTheMap(from);
  const end = onTheMap([nearestLon(to[0], from[0]), to[1]]);
  const [[x0, y0], [x1, y1]] = [toWorld(start), toWorld(end)];
  if (Math.hypot(x1 - x0, y1 - y0) * 512 * 2 ** zoom < ARROW_MIN_PX) return [];
  const rotation = (Math.atan2(y1 - y0, x1 - x0) * 180) / Math.PI;
  // west to east, so that the label stands upright above the line
  const line = start[0] <= end[0] ? [start, end] : [end, start];
  const label = `${number}: ${distanceText(distance_m)}`;
  return [
    {
      type: 'Feature',
      properties: { kind: 'arrow', label },
      geometry: { type: 'LineString', coordinates: line.map((place) => [...place]) },
    },
    { type: 'Feature', properties: { kind: 'arrow_head', rotation }, geometry: point(end) },
    { type: 'Feature', properties: { kind: 'landing' }, geometry: point(start) },
  ];
}

/** What the layer shows, in a sentence for those who do not see it. */
export function displacementSummary(ordered: readonly DisplacementGroup[]): string {
  const away = ordered.filter(({ kind }) => kind !== 'in_tiles' && kind !== null);
  if (away.length === 0) return 'Displacement: no group lies away from its tiles.';
  const first = away.slice(0, 3).map(({ count, sentence }) => `${count.toLocaleString('en-GB')} ${sentence}`);
  const groups = away.length === 1 ? '1 group lies away from its' : `${away.length} groups lie away from their`;
  return `Displacement: ${groups} tiles. Largest: ${first.join('; ')}.`;
}
