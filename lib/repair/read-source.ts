import type { Db, Tx } from '@/db/client';
import { type RepairSourceRow, repairSource } from '@/db/queries/repair-source';
import type { BlobStore } from '@/lib/blobs/blob-store';
import { readReferenced } from '@/lib/blobs/read-referenced';
import { noSuchEntry } from '@/lib/triage/entry-id';

/** 16 MB: about a million vertices. Far more than ST_MakeValid does in its time. */
const MAX_SOURCE_BYTES = 16_000_000;

/** The current payload of an entry with its bytes, inline or from the blob store, or why there are none here. */
export type RepairSource = Omit<RepairSourceRow, 'geom_wkb'> &
  ({ wkb: Uint8Array; why_not: null } | { wkb: null; why_not: string });

/** @throws DlqError not_found; storage_unavailable */
export async function readSource(db: Db | Tx, entry_id: string, openStore: () => BlobStore): Promise<RepairSource> {
  const row = await repairSource(db, entry_id, MAX_SOURCE_BYTES);
  if (!row) throw noSuchEntry(entry_id);
  const { geom_wkb, ...rest } = row;
  const without = (why_not: string): RepairSource => ({ ...rest, wkb: null, why_not });
  if (geom_wkb) return { ...rest, wkb: geom_wkb, why_not: null };
  const limit = `over the ${MAX_SOURCE_BYTES / 1e6} MB that a repair takes`;
  if (row.geom_bytes !== null) return without(`the geometry has ${(row.geom_bytes / 1e6).toFixed(1)} MB, ${limit}`);
  if (row.geom_given) return without('the text given as its geometry is not readable');
  if (row.payload_ref === null) return without('it has no geometry');
  const read = await readReferenced(openStore(), { ...row, payload_ref: row.payload_ref }, MAX_SOURCE_BYTES);
  if (!('problem' in read)) return { ...rest, wkb: read.wkb, why_not: null };
  return without(read.problem === 'too_large' ? `the geometry is ${limit}` : read.message);
}
