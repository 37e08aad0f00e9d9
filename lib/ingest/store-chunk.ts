import { again } from '@/db/again';
import type { Db, Tx } from '@/db/client';
import { capture, type Proposal } from '@/db/queries/capture';
import { captureMany } from '@/db/queries/capture-many';
import type { Captured } from '@/lib/contract/capture';
import type { DlqError } from '@/lib/contract/error';
import { refusedByDatabase } from './refused-by-database';

/**
 * Stores proposals in one transaction, or within the given one; the answers are in their order. Where the database refuses
 * the values of one of them, that one gets its reason and the others are stored all the same.
 * @throws what is no fault of a proposal (the database is away); then none of them is stored.
 */
export async function storeChunk(db: Db | Tx, proposals: readonly Proposal[]): Promise<(Captured | DlqError)[]> {
  if (proposals.length === 0) return [];
  try {
    return await again(() => together(db, proposals));
  } catch (error) {
    if (!refusedByDatabase(error)) throw error;
    return again(() => storeEach(db, proposals));
  }
}

/** One statement is a transaction of its own; within another's it needs a savepoint, since it may fail. */
function together(db: Db | Tx, proposals: readonly Proposal[]): Promise<Captured[]> {
  if ('rollback' in db) return db.transaction((savepoint) => captureMany(savepoint, proposals));
  return captureMany(db, proposals);
}

function storeEach(db: Db | Tx, proposals: readonly Proposal[]): Promise<(Captured | DlqError)[]> {
  // The order in which the one statement locks, so that this transaction too never waits in a circle.
  const order = proposals.map((_, i) => i);
  const keys = proposals.map(({ work_key }) => Buffer.from(work_key));
  order.sort((a, b) => Buffer.compare(keys[a] as Buffer, keys[b] as Buffer) || a - b);
  return db.transaction(async (tx) => {
    const answers: (Captured | DlqError)[] = new Array(proposals.length);
    for (const i of order) {
      try {
        answers[i] = await tx.transaction((savepoint) => capture(savepoint, proposals[i] as Proposal));
      } catch (error) {
        const refused = refusedByDatabase(error);
        if (!refused) throw error;
        answers[i] = refused;
      }
    }
    return answers;
  });
}
