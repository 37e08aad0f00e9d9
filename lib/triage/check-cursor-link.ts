import type { Db, Tx } from '@/db/client';
import { placeVertices } from '@/db/queries/place-vertices';
import type { CursorLink } from '@/lib/contract/entry';
import { type CursorTransform, makeCursorTransform } from '@/lib/crs/cursor-link';
import { metresBetween } from '@/lib/crs/sphere';
import { sampleVertices } from '@/lib/crs/vertex-sample';
import { readWkb } from '@/lib/wkb/read-wkb';
import type { ClaimedSource } from './claimed-source';

/** Vertices of the entry that are compared. */
export const COMPARED = 16;
const MOST_ERROR_M = 2;
/** Of the diagonal of what is compared: half a pixel of a pane of a thousand. */
const MOST_SHARE = 1 / 2000;

export type Place = [number, number];
type Answer = { cursor_link: CursorLink; cursor_link_reason: null } | { cursor_link: null; cursor_link_reason: string };

const off = (cursor_link_reason: string): Answer => ({ cursor_link: null, cursor_link_reason });

/**
 * Whether proj4 may lead the cursor between the panes of this entry: its places of the entry's own vertices must be the
 * database's, there and back. Of several definitions the nearest is taken. Never throws for a geometry or a CRS.
 */
export async function checkCursorLink(
  db: Db | Tx,
  vertices: readonly Place[],
  claimed: ClaimedSource,
): Promise<Answer> {
  if (!claimed.source) return off('no CRS is claimed that the database could read');
  if (vertices.length === 0) return off('the geometry has no finite vertex');
  const placed = await placeVertices(db, vertices.flat(), claimed.source);
  const pairs = vertices.flatMap((vertex, i) => {
    const [lon, lat] = [placed.lons?.[i], placed.lats?.[i]];
    return typeof lon === 'number' && typeof lat === 'number' ? [{ vertex, place: [lon, lat] as Place }] : [];
  });
  if (pairs.length === 0) return off('the database places none of its vertices under the claim');
  const definitions = [placed.proj4text, claimed.proj_text, claimed.record?.proj].flatMap((text) => text?.trim() || []);
  if (definitions.length === 0) return off('there is no definition of the claimed CRS for proj4');
  let best: CursorLink | null = null;
  for (const proj of new Set(definitions)) {
    const max_error_m = await errorOf(proj, pairs);
    if (max_error_m !== null && (best === null || max_error_m < best.max_error_m))
      best = { proj, checked: pairs.length, max_error_m };
  }
  if (!best) return off('proj4 cannot follow the claimed CRS here');
  if (best.max_error_m > Math.max(MOST_ERROR_M, diagonalOf(pairs) * MOST_SHARE))
    return off(`proj4 is up to ${metresText(best.max_error_m)} from the database’s PROJ here`);
  return { cursor_link: best, cursor_link_reason: null };
}

/** Spread over the geometry, from its first to its last vertex. */
export function verticesOf(wkb: Uint8Array): Place[] {
  const sample = sampleVertices(readWkb(wkb, { max_findings: 0 }));
  if (!sample) return [];
  const { points } = sample;
  const count = points.length / 2;
  const taken = Math.min(COMPARED, count);
  return Array.from({ length: taken }, (_, i) => {
    const at = taken === 1 ? 0 : Math.round((i * (count - 1)) / (taken - 1)) * 2;
    return [points[at] as number, points[at + 1] as number];
  });
}

/** Metres at most between proj4's places and the database's; null where proj4 cannot do one of them. */
async function errorOf(proj: string, pairs: readonly { vertex: Place; place: Place }[]): Promise<number | null> {
  let transform: CursorTransform;
  try {
    transform = await makeCursorTransform(proj);
  } catch {
    return null;
  }
  let most = 0;
  for (const { vertex, place } of pairs) {
    const there = transform.toLonLat(vertex);
    const back = transform.fromLonLat(place);
    const again = back && transform.toLonLat(back);
    if (!there || !again) return null;
    most = Math.max(most, metresBetween(there, place), metresBetween(again, place));
  }
  return Number.isFinite(most) ? most : null;
}

function diagonalOf(pairs: readonly { place: Place }[]): number {
  const [lons, lats] = [pairs.map(({ place }) => place[0]), pairs.map(({ place }) => place[1])];
  return metresBetween([Math.min(...lons), Math.min(...lats)], [Math.max(...lons), Math.max(...lats)]);
}

function metresText(metres: number): string {
  return metres < 10_000 ? `${metres.toFixed(1)} m` : `${Math.round(metres / 1000)} km`;
}
