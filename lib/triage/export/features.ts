import { footprintsOf } from '@/db/queries/footprints-of';
import { sourceGeometriesOf } from '@/db/queries/source-geometries-of';
import { geoJsonFromWkb } from '@/lib/wkb/to-text';
import { MAX_GEOMETRY_BYTES } from '../entry-geometry';
import type { TriageContext } from '../triage-context';
import type { Exported } from './export-rows';
import { partsOf } from './parts';
import { areRingsClosed, type GeoJsonGeometry } from './rings';

/** An entry with its footprint in lon,lat: as an object and as WKB, or neither, and then why where there is one. */
export interface Feature {
  row: Exported['row'];
  geometry: GeoJsonGeometry | null;
  wkb: Buffer | null;
  geometry_omitted: string | null;
  /** The source's bytes as stored, where they were asked for and the role may see them. */
  source_wkb: Buffer | null;
}

/** The features of each page, in parts that fit into memory together. One whose footprint is no GeoJSON has none in any format. */
export async function* featuresOf(
  { db }: Pick<TriageContext, 'db'>,
  pages: AsyncIterable<Exported[]>,
  { with_source }: { with_source: boolean },
): AsyncGenerator<Feature[]> {
  const sourceBytes = ({ source_bytes }: Exported) => (with_source ? (source_bytes ?? 0) : 0);
  for await (const page of pages)
    for (const part of partsOf(page, (one) => (isRead(one) ? (one.footprint_bytes ?? 0) : 0) + sourceBytes(one))) {
      const placed = part.filter(isRead).map(({ row }) => row.id);
      const footprints = placed.length === 0 ? NONE : await footprintsOf(db, placed);
      const given = part.filter((one) => sourceBytes(one) > 0).map(({ row }) => row.id);
      const sources = given.length === 0 ? NONE : await sourceGeometriesOf(db, given);
      yield part.map((exported) => {
        const { row } = exported;
        return {
          row,
          ...footprintOf(exported, footprints.get(row.id) ?? null),
          source_wkb: sources.get(row.id) ?? null,
        };
      });
    }
}

const NONE: ReadonlyMap<string, Buffer> = new Map();

const isRead = ({ footprint_bytes }: Exported) => footprint_bytes !== null && footprint_bytes <= MAX_GEOMETRY_BYTES;

type Footprint = Pick<Feature, 'geometry' | 'wkb' | 'geometry_omitted'>;

const without = (geometry_omitted: string | null): Footprint => ({ geometry: null, wkb: null, geometry_omitted });

function footprintOf({ footprint_bytes }: Exported, wkb: Buffer | null): Footprint {
  if (!wkb) return without(footprint_bytes !== null && footprint_bytes > MAX_GEOMETRY_BYTES ? 'too_large' : null);
  const written = geoJsonFromWkb(wkb);
  if ('reason' in written) return without(written.reason);
  const geometry: GeoJsonGeometry = JSON.parse(written.text);
  // closing one would be a repair; a reader that finds one open can refuse the whole file
  if (!areRingsClosed(geometry)) return without('a ring is not closed, or has under four vertices');
  return { geometry, wkb, geometry_omitted: null };
}
