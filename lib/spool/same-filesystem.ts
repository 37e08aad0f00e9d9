import { stat } from 'node:fs/promises';
import type { Db } from '@/db/client';
import { dataDirectory } from '@/db/queries/data-directory';

/** Whether a folder lies on the filesystem of the database's files: a full disk then takes both. Null where that cannot be told. */
export async function isOnDatabaseFilesystem(db: Db, folder: string): Promise<boolean | null> {
  const data = await dataDirectory(db);
  if (data === null) return null;
  try {
    const [spool, database] = await Promise.all([stat(folder), stat(data)]);
    return spool.dev === database.dev;
  } catch {
    return null;
  }
}
