import { again } from '@/db/again';
import type { Db } from '@/db/client';
import type { UndiagnosedRow } from '@/db/queries/claim-undiagnosed';
import { renewDiagnoses } from '@/db/queries/renew-diagnoses';
import type { BlobStore } from '@/lib/blobs/blob-store';
import { readReferenced } from '@/lib/blobs/read-referenced';
import { sha256OfRef } from '@/lib/dead-letter/size-rule';
import { diagnoseRows } from './diagnose-rows';

/** Larger ones are not read into memory here: their entries have no footprint, as `too_large`. */
const MAX_BLOB_BYTES = 64_000_000;

type ReferencedRow = UndiagnosedRow & { payload_ref: string };

export const isReferenced = (row: UndiagnosedRow): row is ReferencedRow =>
  row.payload_ref !== null && row.geom_wkb === null && row.geom_given === null;

/**
 * Diagnoses an entry whose geometry lies in the blob store, as if it were inline.
 * @throws DlqError storage_unavailable where the store cannot serve now.
 */
export async function diagnoseReferenced(db: Db, store: BlobStore, row: ReferencedRow): Promise<void> {
  const referenced = await readReferenced(store, row, MAX_BLOB_BYTES);
  await diagnoseRows(db, [row], referenced);
  const sha256 = sha256OfRef(row.payload_ref);
  // A blob that came while this was written has asked for a new diagnosis too early.
  if ('problem' in referenced && referenced.problem === 'missing' && sha256 && (await store.has(sha256)))
    await again(() => renewDiagnoses(db, sha256));
}
