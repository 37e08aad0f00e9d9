import { getEvidenceRow } from '@/db/queries/get-evidence';
import { getReprojected as getReprojectedRow } from '@/db/queries/get-reprojected';
import { getBlobStore } from '@/lib/blobs/open-blob-store';
import type { GeometryFormat } from '@/lib/contract/entry';
import { DlqError } from '@/lib/contract/error';
import { geoJsonFromWkb, wktFromWkb } from '@/lib/wkb/to-text';
import { entryGeometry, MAX_GEOMETRY_BYTES } from './entry-geometry';
import { noSuchEntry, readEntryId } from './entry-id';
import { isMasked } from './mask';
import type { TriageContext } from './triage-context';

const TEXT = { wkt: wktFromWkb, geojson: geoJsonFromWkb };

/** A content and the tag under which it stays the same; null where the asker has it already. */
export interface Tagged<Content> {
  etag: string;
  content: Content | null;
}

/**
 * The geometry of an entry's current payload: the bytes as stored, or as text in source units, without a repair.
 * @throws DlqError not_found; unprocessable with the reason where there are no bytes or no faithful text of them.
 */
export async function getGeometry(
  ctx: TriageContext,
  { id, format, known }: { id: string; format: GeometryFormat; known: readonly string[] },
): Promise<Tagged<Uint8Array | string>> {
  const { role } = ctx.actor;
  const row = await getEvidenceRow(ctx.db, readEntryId(id), role, { most_bytes: MAX_GEOMETRY_BYTES, inline_bytes: 0 });
  if (!row) throw noSuchEntry(id);
  const { bytes, omitted } = isMasked(row.sensitive, role)
    ? { bytes: null, omitted: null }
    : await entryGeometry(row, getBlobStore);
  if (!bytes)
    throw new DlqError('unprocessable', `dead letter ${id} has no geometry here: ${omitted ?? 'none was captured'}`);
  const etag = `W/"${row.payload_hash.slice(0, 24)}-${format}"`;
  if (known.includes(etag)) return { etag, content: null };
  if (format === 'wkb') return { etag, content: bytes };
  const text = TEXT[format](bytes);
  if ('reason' in text)
    throw new DlqError('unprocessable', `dead letter ${id} has no faithful ${format}: ${text.reason}; take format=wkb`);
  return { etag, content: text.text };
}

/**
 * The footprint as EWKB in EPSG:4326, by the database's PROJ.
 * @throws DlqError not_found; unprocessable where there is none, or none that the asker may see.
 */
export async function getReprojected(
  ctx: TriageContext,
  { id, known }: { id: string; known: readonly string[] },
): Promise<Tagged<Uint8Array>> {
  const { role } = ctx.actor;
  const tags = known.flatMap((tag) => /^W\/"([\w-]+)"$/.exec(tag)?.[1] ?? []);
  const row = await getReprojectedRow(ctx.db, readEntryId(id), role, tags);
  if (!row) throw noSuchEntry(id);
  if (row.tag !== null && !isMasked(row.sensitive, role)) {
    const etag = `W/"${row.tag}"`;
    if (row.wkb) return { etag, content: row.wkb };
    if (tags.includes(row.tag)) return { etag, content: null };
  }
  throw new DlqError('unprocessable', `dead letter ${id} has no reprojected geometry: ${whyNone(row, role)}`);
}

function whyNone(
  { sensitive, tag, unmappable_reason }: { sensitive: boolean; tag: string | null; unmappable_reason: string | null },
  role: TriageContext['actor']['role'],
): string {
  if (isMasked(sensitive, role)) return 'sensitive';
  return tag === null ? 'not_diagnosed' : (unmappable_reason ?? 'its place is not shown');
}
