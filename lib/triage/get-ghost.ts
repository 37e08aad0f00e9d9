import { getEvidenceRow } from '@/db/queries/get-evidence';
import { ghostOf } from '@/db/queries/ghost-of';
import { getBlobStore } from '@/lib/blobs/open-blob-store';
import type { Ghost } from '@/lib/contract/entry';
import { DlqError } from '@/lib/contract/error';
import { crsOf } from '@/lib/crs/registry/registry';
import { secondsText, withinTime } from '@/lib/repair/within-time';
import { entryGeometry } from './entry-geometry';
import { noSuchEntry, readEntryId } from './entry-id';
import { isMasked, MASKED } from './mask';
import type { TriageContext } from './triage-context';

/** How the stored numbers are read: exchanged first, then multiplied by the signs. */
export interface GhostReading {
  crs: string;
  swapped: boolean;
  x_sign: 1 | -1;
  y_sign: 1 | -1;
}

/** Of more, a simpler shape is drawn. */
const MOST_VERTICES = 20_000;
/** A person is looking on. */
const MOST_MS = 8_000;
const PLACES_XY = ['projected', 'geographic_2d', 'geographic_3d'];

/**
 * The entry's geometry as if it were in another CRS of the registry, by the database's PROJ. What cannot be drawn is an
 * answer with the reason. @throws DlqError not_found; bad_request for a CRS that the registry does not know.
 */
export async function getGhost(ctx: TriageContext, { id, ...reading }: GhostReading & { id: string }): Promise<Ghost> {
  const { role } = ctx.actor;
  const record = crsOf(reading.crs) ?? crsOf(reading.crs.toUpperCase());
  if (!record)
    throw new DlqError(
      'bad_request',
      `the registry knows no CRS “${reading.crs.slice(0, 80)}”: crs takes an id such as EPSG:3734`,
      {
        parameter: 'crs',
      },
    );
  const read = { ...reading, crs: record.id };
  const entry_id = readEntryId(id);
  const nothing = (error: string): Ghost => ({ ...read, shown: null, reprojected_wkb: null, error });
  const row = await getEvidenceRow(ctx.db, entry_id, role, { most_bytes: 0, inline_bytes: 0 });
  if (!row) throw noSuchEntry(id);
  if (isMasked(row.sensitive, role)) return nothing(MASKED);
  if (!PLACES_XY.includes(record.kind))
    return nothing(`${record.id} is ${record.kind.replaceAll('_', ' ')}: it places no x,y on a map`);
  const { bytes, omitted } = await entryGeometry(row, getBlobStore);
  if (omitted !== null) return nothing(omitted);
  const ghost = await ctx.db.transaction(
    (tx) =>
      withinTime(tx, MOST_MS, async (inner) => {
        const found = await ghostOf(
          inner,
          { id: entry_id, ...read, most_vertices: MOST_VERTICES },
          row.geom_bytes === null ? bytes : null,
        );
        if (!found) throw noSuchEntry(id);
        return found;
      }),
    { accessMode: 'read only' },
  );
  if (!ghost) return nothing(`it took the database over ${secondsText(MOST_MS)}`);
  return { ...read, shown: ghost.shown, reprojected_wkb: ghost.wkb, error: ghost.error };
}
