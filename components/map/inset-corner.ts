import type { Evidence } from '@/lib/contract/entry';
import { type TileAddress, tileCentre } from '@/lib/crs/web-mercator';
import { candidatesShown, type EvidenceView } from './evidence-view';
import { nearestLon } from './geodesy';

export type InsetCorner = 'bottom-right' | 'top-right' | 'bottom-left';

/** Of each corner its place in the overview, 0 to 1 from the west and from the south. The first one is taken if it can be. */
const CORNERS: readonly { corner: InsetCorner; x: number; y: number }[] = [
  { corner: 'bottom-right', x: 1, y: 0 },
  { corner: 'top-right', x: 1, y: 1 },
  { corner: 'bottom-left', x: 0, y: 0 },
];
/** The inset takes some two fifths of the pane each way. */
const REACH = 0.4;

/** The corner in which the inset hides neither the landing nor the tile nor a candidate, else the one that hides fewest. */
export function insetCorner(
  { overview, landing }: Pick<EvidenceView, 'overview' | 'landing'>,
  evidence: Evidence,
  tile: TileAddress | null,
): InsetCorner {
  if (!overview || !landing) return 'bottom-right';
  const [west, south, east, north] = overview;
  const places = [landing, ...candidatesShown(evidence).map(({ place }) => place), ...(tile ? [tileCentre(tile)] : [])];
  const hidden = CORNERS.map(
    ({ x, y }) =>
      places.filter(([lon, lat]) => {
        const across = (nearestLon(lon, landing[0]) - west) / (east - west || 1);
        const up = (lat - south) / (north - south || 1);
        const is_shown = across >= 0 && across <= 1 && up >= 0 && up <= 1;
        return is_shown && Math.abs(across - x) < REACH && Math.abs(up - y) < REACH;
      }).length,
  );
  return CORNERS[hidden.indexOf(Math.min(...hidden))]?.corner ?? 'bottom-right';
}
