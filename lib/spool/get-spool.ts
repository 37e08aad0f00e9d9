import type { Db } from '@/db/client';
import { countRejectedLines } from '@/db/queries/count-rejected-lines';
import { listSpoolFiles } from '@/db/queries/list-spool-files';
import { listSpoolSources } from '@/db/queries/list-spool-sources';
import type { Spool } from '@/lib/contract/spool';
import { pageOf, readIdCursor } from './id-cursor';

const FILES_A_PAGE = 100;

/** What is watched, what waits, what was loaded and what was not taken. @throws DlqError bad_request for a cursor that is none. */
export async function getSpool({ db }: { db: Db }, { cursor }: { cursor: string | null }): Promise<Spool> {
  const [sources, files, rejected] = await Promise.all([
    listSpoolSources(db),
    listSpoolFiles(db, { before: readIdCursor(cursor), limit: FILES_A_PAGE + 1 }),
    countRejectedLines(db),
  ]);
  const { items, next_cursor } = pageOf(files, FILES_A_PAGE);
  const { as_of, ...counts } = rejected;
  return { as_of, sources, files: items, next_cursor, rejected: counts };
}
