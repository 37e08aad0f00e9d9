import { sql } from 'drizzle-orm';
import type { Db, Tx } from '@/db/client';
import {
  type AttachedTable,
  type Attachment,
  attachTable,
  detachTable,
  listAttached,
} from '@/db/queries/attached-table';
import { sqlStateOf } from '@/db/sql-state';
import { DlqError } from '@/lib/contract/error';
import { findTable } from './find-table';
import { patiently } from './patiently';

/** Longest a writer of the table is held up by one try for its lock. */
const LOCK_TIMEOUT = '1s';

/** Puts a table under capture: from the commit on every proposed row is captured. Answers the attachment's id. */
export async function attach(db: Db, attachment: Attachment, on_wait?: () => void): Promise<number> {
  return lockingTable(
    db,
    `${attachment.schema_name}.${attachment.table_name}`,
    (tx) => attachTable(tx, attachment),
    on_wait,
  );
}

/** Takes a table out of capture; its entries and their history stay. @throws DlqError when it is not attached */
export async function detach(db: Db, name: string, on_wait?: () => void): Promise<AttachedTable> {
  const attached = await findAttached(db, name);
  await lockingTable(db, name, (tx) => detachTable(tx, attached.id), on_wait);
  return attached;
}

/** The attachment of a table by its name; one that is gone by the name it had. */
async function findAttached(db: Db, name: string): Promise<AttachedTable> {
  const live = (await listAttached(db)).filter(({ detached_at }) => detached_at === null);
  const gone = live.find(
    (one) => one.relation === null && [`${one.schema_name}.${one.table_name}`, one.table_name].includes(name),
  );
  if (gone) return gone;
  const { attached_id, schema_name, table_name } = await findTable(db, name);
  const found = live.find(({ id }) => id === attached_id);
  if (found) return found;
  const others = live.map(({ relation }) => relation).filter(Boolean);
  throw new DlqError(
    'not_found',
    `${schema_name}.${table_name} is not attached${others.length > 0 ? `; attached are ${others.join(', ')}` : ''}`,
  );
}

async function lockingTable<T>(db: Db, name: string, work: (tx: Tx) => Promise<T>, on_wait?: () => void): Promise<T> {
  try {
    return await patiently(
      () =>
        db.transaction(async (tx) => {
          await tx.execute(sql`select set_config('lock_timeout', ${LOCK_TIMEOUT}::text, true)`);
          return work(tx);
        }),
      undefined,
      on_wait ? { on_wait } : {},
    );
  } catch (error) {
    if (sqlStateOf(error) === '55P03')
      throw new DlqError(
        'timeout',
        `${name} is locked by a long transaction; nothing was changed. See pg_stat_activity, then run this again`,
      );
    if (sqlStateOf(error) === '42501')
      throw new DlqError('forbidden', `this role may not put triggers on ${name}: connect as its owner (DATABASE_URL)`);
    throw error;
  }
}
