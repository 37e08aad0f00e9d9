import { footprintsOf } from '@/db/queries/footprints-of';
import { geoJsonFromWkb } from '@/lib/wkb/to-text';
import { MAX_GEOMETRY_BYTES } from '../entry-geometry';
import type { TriageContext } from '../triage-context';
import type { Exported } from './export-rows';
import { areRingsClosed, type GeoJsonGeometry, rightHanded } from './rings';

/** Footprints read at once, in bytes, unless a single one is larger: what an export holds, whatever it brings. */
const HELD_BYTES = 8_000_000;

/**
 * RFC 7946: the footprint, in lon,lat, with the columns as properties. An entry without one is a feature without a
 * geometry, as is one whose footprint is no GeoJSON: then `geometry_omitted` says why.
 */
export async function* exportGeoJson(
  { db }: Pick<TriageContext, 'db'>,
  pages: AsyncIterable<Exported[]>,
): AsyncGenerator<string> {
  yield '{"type":"FeatureCollection","features":[';
  let between = '\n';
  for await (const page of pages)
    for (const part of partsOf(page)) {
      const ids = part.filter(isRead).map(({ row }) => row.id);
      const footprints = ids.length > 0 ? await footprintsOf(db, ids) : new Map<string, Buffer>();
      const features = part.map((exported) => featureOf(exported, footprints.get(exported.row.id) ?? null));
      yield between + features.join(',\n');
      between = ',\n';
    }
  yield '\n]}\n';
}

const isRead = ({ footprint_bytes }: Exported) => footprint_bytes !== null && footprint_bytes <= MAX_GEOMETRY_BYTES;

/** The page in parts whose footprints fit together. */
function* partsOf(page: readonly Exported[]): Generator<Exported[]> {
  let part: Exported[] = [];
  let bytes = 0;
  for (const exported of page) {
    const own = isRead(exported) ? (exported.footprint_bytes ?? 0) : 0;
    if (part.length > 0 && bytes + own > HELD_BYTES) {
      yield part;
      part = [];
      bytes = 0;
    }
    part.push(exported);
    bytes += own;
  }
  if (part.length > 0) yield part;
}

function featureOf({ row, footprint_bytes }: Exported, wkb: Buffer | null): string {
  const { text, omitted } = wkb
    ? geometryOf(wkb)
    : { text: 'null', omitted: footprint_bytes !== null && footprint_bytes > MAX_GEOMETRY_BYTES ? 'too_large' : null };
  const properties = omitted === null ? row : { ...row, geometry_omitted: omitted };
  return `{"type":"Feature","id":${JSON.stringify(row.id)},"geometry":${text},"properties":${JSON.stringify(properties)}}`;
}

function geometryOf(wkb: Buffer): { text: string; omitted: string | null } {
  const written = geoJsonFromWkb(wkb);
  if ('reason' in written) return { text: 'null', omitted: written.reason };
  const geometry: GeoJsonGeometry = JSON.parse(written.text);
  // closing one would be a repair; a reader that finds one open can refuse the whole file
  if (!areRingsClosed(geometry)) return { text: 'null', omitted: 'a ring is not closed, or has under four vertices' };
  return { text: JSON.stringify(rightHanded(geometry)), omitted: null };
}
