import type { Db } from '@/db/client';
import { claimUndiagnosed, type UndiagnosedRow } from '@/db/queries/claim-undiagnosed';
import { giveUpDiagnosis } from '@/db/queries/give-up-diagnosis';
import { returnUndiagnosed } from '@/db/queries/return-undiagnosed';
import type { BlobStore } from '@/lib/blobs/blob-store';
import { getBlobStore } from '@/lib/blobs/open-blob-store';
import { DlqError } from '@/lib/contract/error';
import { getLog } from '@/lib/log';
import { loggableError } from '@/lib/loggable-error';
import { diagnoseOutdated } from './diagnose-outdated';
import { diagnoseReferenced, isReferenced } from './diagnose-referenced';
import { diagnoseRows } from './diagnose-rows';
import { MAX_TRIES } from './max-tries';
import { RULESET } from './ruleset';

/** A batch is one transaction: long enough to share PROJ's set-up between rows of one CRS, short enough to be cheap to lose. */
const BATCH_SIZE = 250;
/** How long a blob store that could not serve is not asked again; what lies in it waits undiagnosed. */
const STORE_REST_MS = 10_000;
const rests_until = new WeakMap<OpenStore, number>();
/** Asked only where something lies there. */
type OpenStore = () => BlobStore;

/**
 * Diagnoses the entries that wait, one batch; answers how many it took (0: nothing waits). A row that fails its batch
 * is tried alone, so that it never holds up the others, and is recorded as unreadable after three tries. Geometries in the
 * blob store are read and diagnosed one by one, so that one at a time is in memory. Where nothing waits, diagnoses that
 * older rules made are made anew.
 */
export async function diagnoseBatch(db: Db, openStore: OpenStore = getBlobStore): Promise<number> {
  const referenced = Date.now() >= (rests_until.get(openStore) ?? 0);
  const fresh = await claimUndiagnosed(db, BATCH_SIZE, { alone: false, referenced });
  if (fresh.length > 0) {
    const inline = fresh.filter((row) => !isReferenced(row));
    await diagnoseRows(db, inline, null).catch((error: unknown) =>
      getLog().warn(
        { error: loggableError(error), entries: inline.length },
        'a batch of diagnoses failed; its entries are tried one by one',
      ),
    );
    return inline.length + (await diagnoseEach(db, openStore, fresh.filter(isReferenced)));
  }
  const tried = await claimUndiagnosed(db, 1, { alone: true, referenced });
  if (tried.length > 0 || !referenced) return diagnoseEach(db, openStore, tried);
  return diagnoseOutdated(db, (rows) => diagnoseAnew(db, openStore, rows));
}

/** Answers whether all were made anew; those behind a blob store that cannot serve now are not. @throws where one fails. */
async function diagnoseAnew(db: Db, openStore: OpenStore, rows: readonly UndiagnosedRow[]): Promise<boolean> {
  await diagnoseRows(
    db,
    rows.filter((row) => !isReferenced(row)),
    null,
  );
  for (const [done, row] of rows.filter(isReferenced).entries()) {
    try {
      await diagnoseReferenced(db, openStore(), row);
    } catch (error) {
      if (!isAway(error)) throw error;
      await rest(db, openStore, rows.filter(isReferenced).slice(done), error);
      return false;
    }
  }
  return true;
}

function isAway(error: unknown): error is DlqError {
  return error instanceof DlqError && error.code === 'storage_unavailable';
}

async function rest(db: Db, openStore: OpenStore, rows: readonly UndiagnosedRow[], error: DlqError): Promise<void> {
  rests_until.set(openStore, Date.now() + STORE_REST_MS);
  await returnUndiagnosed(
    db,
    rows.map(({ entry_id }) => entry_id),
  );
  getLog().warn({ error: loggableError(error), entries: rows.length }, 'the blob store cannot serve now');
}

/** Answers how many were looked at: where the blob store cannot serve now, the rest goes back to wait, its tries uncounted. */
async function diagnoseEach(db: Db, openStore: OpenStore, rows: readonly UndiagnosedRow[]): Promise<number> {
  for (const [done, row] of rows.entries()) {
    try {
      if (isReferenced(row)) await diagnoseReferenced(db, openStore(), row);
      else await diagnoseRows(db, [row], null);
    } catch (error) {
      if (isAway(error)) {
        await rest(db, openStore, rows.slice(done), error);
        return done;
      }
      await failed(db, row, error);
    }
  }
  return rows.length;
}

async function failed(db: Db, { entry_id, tries }: UndiagnosedRow, error: unknown): Promise<void> {
  const message =
    error instanceof Error ? (error.cause instanceof Error ? error.cause.message : error.message) : String(error);
  getLog().warn({ entry_id, tries }, 'a diagnosis failed');
  if (tries >= MAX_TRIES) await giveUpDiagnosis(db, entry_id, RULESET, message.slice(0, 500));
}
