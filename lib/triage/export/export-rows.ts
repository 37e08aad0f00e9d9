import { SQL_CONDITIONS } from '@/db/filter-sql';
import { type ExportPageRow, exportPage } from '@/db/queries/export-page';
import { idsMatching, MOST_FOUND, needsIds } from '@/db/queries/ids-matching';
import { sqlStateOf } from '@/db/sql-state';
import { EXPORT_COLUMNS, type ExportRow } from '@/lib/contract/export';
import type { Filter } from '@/lib/contract/filter';
import { exportRowFor, isMasked } from '../mask';
import type { TriageContext } from '../triage-context';

/** Entries a statement: 1 MB of rows with long errors, and a connection is only held while they are read. */
const PAGE = 250;
/** Found entries that are named to a statement. */
const NAMED = 1_000;
const OUT_OF_RANGE = '22003';

/** A row as the role may read it, and how large the rest is: null where it may not see that, or there is none. */
export interface Exported {
  row: ExportRow;
  footprint_bytes: number | null;
  source_bytes: number | null;
  capture_bytes: number | null;
}

/**
 * The entries that match, a page at a time, each as it is when its page is read. A page is read when it is asked for.
 * @throws FilterError for a `place` that is not known.
 */
export async function* exportRows(ctx: TriageContext, filter: Filter, page = PAGE): AsyncGenerator<Exported[]> {
  const { role } = ctx.actor;
  for await (const rows of readPages(ctx, filter, page))
    yield rows.map((found) => {
      const { sensitive, footprint_bytes, source_bytes, capture_bytes } = found;
      const hidden = isMasked(sensitive, role);
      const row = exportRowFor(columnsOf(found), sensitive, role);
      return {
        row,
        footprint_bytes: row.lon === null ? null : footprint_bytes,
        source_bytes: hidden ? null : source_bytes,
        capture_bytes: hidden ? null : capture_bytes,
      };
    });
}

/** What is looked up outside the columns (words, params, areas) is looked for once: for each page anew, half a second became ten minutes. */
async function* readPages(ctx: TriageContext, filter: Filter, page: number): AsyncGenerator<ExportPageRow[]> {
  const found = await findOnce(ctx, filter);
  if (!found) return yield* walk(ctx, filter, page);
  const others = Object.fromEntries(
    Object.entries(filter).filter(([field]) => !(SQL_CONDITIONS as readonly string[]).includes(field)),
  );
  for (let first = 0; first < found.length; first += NAMED)
    yield* walk(ctx, { ...others, ids: Array.from(found.subarray(first, first + NAMED), String) }, page);
}

/** Null where the columns decide alone, and where more is found than is held, or an id over 2^32. */
async function findOnce({ db, actor }: TriageContext, filter: Filter): Promise<Uint32Array | null> {
  if (!needsIds(filter)) return null;
  try {
    const { ids, capped } = await idsMatching(db, filter, actor.role, MOST_FOUND);
    return capped ? null : ids;
  } catch (error) {
    if (sqlStateOf(error) === OUT_OF_RANGE) return null;
    throw error;
  }
}

async function* walk(
  { db, actor }: TriageContext,
  filter: Filter,
  page: number,
): AsyncGenerator<ExportPageRow[], undefined> {
  for (let after_id = '0'; ; ) {
    const rows = await exportPage(db, { filter, role: actor.role, after_id, limit: page });
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (!last || rows.length < page) return;
    after_id = last.id;
  }
}

/** In the order of the columns, and no other. */
function columnsOf(found: ExportPageRow): ExportRow {
  return Object.fromEntries(EXPORT_COLUMNS.map((column) => [column, found[column]])) as unknown as ExportRow;
}
