import { type ExportPageRow, exportPage } from '@/db/queries/export-page';
import { EXPORT_COLUMNS, type ExportRow } from '@/lib/contract/export';
import type { Filter } from '@/lib/contract/filter';
import { exportRowFor, isMasked } from '../mask';
import type { TriageContext } from '../triage-context';

/** Entries a statement: 1 MB of rows with long errors, and a connection is only held while they are read. */
const PAGE = 250;

/** A row as the role may read it, and how large the rest is: null where it may not see that, or there is none. */
export interface Exported {
  row: ExportRow;
  footprint_bytes: number | null;
  source_bytes: number | null;
  capture_bytes: number | null;
}

/** The entries that match, a page at a time, each as it is when its page is read. A page is read when it is asked for. */
export async function* exportRows(ctx: TriageContext, filter: Filter, page = PAGE): AsyncGenerator<Exported[]> {
  const { role } = ctx.actor;
  for (let after_id = '0'; ; ) {
    const rows = await exportPage(ctx.db, { filter, role, after_id, limit: page });
    if (rows.length > 0)
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
    const last = rows.at(-1);
    if (!last || rows.length < page) return;
    after_id = last.id;
  }
}

/** In the order of the columns, and no other. */
function columnsOf(found: ExportPageRow): ExportRow {
  return Object.fromEntries(EXPORT_COLUMNS.map((column) => [column, found[column]])) as unknown as ExportRow;
}
