import { asActor } from '@/db/as-actor';
import type { Db } from '@/db/client';
import { editPayload as appendVersion } from '@/db/queries/edit-payload';
import { lockEditable } from '@/db/queries/repair-lock';
import { usePayload } from '@/db/queries/repair-use-payload';
import type { BlobStore } from '@/lib/blobs/blob-store';
import { getBlobStore } from '@/lib/blobs/open-blob-store';
import type { EditedPayload, PayloadEditBody } from '@/lib/contract/edit';
import { DlqError } from '@/lib/contract/error';
import type { Role } from '@/lib/dead-letter/vocabulary';
import { noSuchEntry, readEntryId } from '@/lib/triage/entry-id';
import { buildCrsEdit } from './build-crs-edit';
import { buildRepair } from './build-repair';
import type { BuiltEdit } from './built-edit';
import { checkEditable } from './check-editable';
import { type RepairSource, readSource } from './read-source';
import { inRepairSlot } from './repair-slots';
import { revertPayload } from './revert-payload';
import { storeLarge } from './store-large';

export interface EditContext {
  db: Db;
  actor: { name: string; role: Role };
}

/**
 * A person's edit: one more version of the payload becomes the current one, and is diagnosed anew. What was captured stays,
 * and so does the idempotency key. The geometry is computed here from the stored bytes; none is taken from the request.
 * @throws DlqError not_found; conflict (in flight, resolved, or changed since); unprocessable (no such repair, no such CRS,
 * nothing would change); rate_limited; storage_unavailable.
 */
export async function editPayload(
  { db, actor }: EditContext,
  { id, ...body }: PayloadEditBody & { id: string },
  openStore: () => BlobStore = getBlobStore,
): Promise<EditedPayload> {
  const entry_id = readEntryId(id);
  if (body.revert_to !== undefined)
    return revertPayload({ db, actor }, { ...body, entry_id, revert_to: body.revert_to });
  const source = await readSource(db, entry_id, openStore);
  // what takes seconds is computed before anything is locked, of the payload that the person saw
  await checkSeen(db, entry_id, body);
  const built = await inRepairSlot(() => db.transaction((tx) => build(tx, source, body), { accessMode: 'read only' }));
  const geometry = await storeLarge(db, built.wkb, openStore);
  return asActor(db, { actor: actor.name, reason: body.reason }, async (tx) => {
    const now = await lockEditable(tx, entry_id);
    if (!now) throw noSuchEntry(entry_id);
    checkEditable(entry_id, body, now);
    const from_hash = body.payload_hash;
    const edited_by = `${actor.name}: ${built.change}, of payload ${from_hash.slice(0, 12)}`;
    const { src_crs, srid, change } = built;
    const { payload_hash, added } = await appendVersion(tx, {
      entry_id,
      from_hash,
      geometry,
      src_crs,
      srid,
      edited_by,
    });
    if (payload_hash === from_hash)
      throw new DlqError('unprocessable', `nothing of dead letter ${entry_id} would change: ${change}`);
    const version = await usePayload(tx, { entry_id, payload_hash, change });
    return { id: entry_id, payload_hash, edited_by, added, change, state: now.state, version };
  });
}

/** Refuses at once, before the work, what would be refused after it. */
async function checkSeen(db: Db, entry_id: string, seen: { payload_hash: string; version: string }): Promise<void> {
  await db.transaction(async (tx) => {
    const now = await lockEditable(tx, entry_id);
    if (!now) throw noSuchEntry(entry_id);
    checkEditable(entry_id, seen, now);
  });
}

function build(
  tx: Parameters<typeof buildRepair>[0],
  source: RepairSource,
  { repair, src_crs, ...axes }: PayloadEditBody,
): Promise<BuiltEdit> {
  if (repair) return buildRepair(tx, source, repair.method);
  if (src_crs !== undefined) return buildCrsEdit(tx, source, { ...axes, src_crs });
  throw new DlqError('bad_request', 'an edit has one of repair, src_crs and revert_to');
}
