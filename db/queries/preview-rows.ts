import { sql } from 'drizzle-orm';
import type { Db, Tx } from '../client';
import { type Attachment, attachmentRow } from './attached-table';

export interface PreviewedRows {
  /** Row key of the last of them; null at the end of the table. */
  last: string[] | null;
  rows_read: number;
  counts: Record<'failure_class' | 'state' | 'attempts' | 'problem', Record<string, number> | null>;
  sample: PreviewedRow[] | null;
}

export interface PreviewedRow {
  work_key: string;
  task_name: string;
  failure_class: string;
  state: string;
  attempts: number;
  failed_at: string | null;
  geometry: string | null;
  src_crs: string | null;
  problems: string[];
}

/** What the next `size` rows after a row key would become, the first `shown` of them whole. */
export async function previewRows(
  db: Db | Tx,
  attachment: Attachment,
  { after, size, shown }: { after: string[] | null; size: number; shown: number },
): Promise<PreviewedRows> {
  const { rows } = await db.execute<PreviewedRows & Record<string, unknown>>(sql`
    select p.last, p.rows_read, p.counts, p.sample
    from dlq.preview_attached(${attachmentRow({ ...attachment, id: 0 })}, ${sql.param(after)}::text[], ${size}::integer, ${shown}::integer) p`);
  return rows[0] as PreviewedRows;
}
