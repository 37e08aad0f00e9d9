import { sql } from 'drizzle-orm';
import type { Db } from '@/db/client';
import { type Attachment, attachStatements } from '@/db/queries/attached-table';
import { countRows } from '@/db/queries/count-rows';
import { type PreviewedRow, type PreviewedRows, previewRows } from '@/db/queries/preview-rows';
import type { BackfillProgress } from './backfill';

export interface AttachPreview {
  rows: number;
  failure_class: Record<string, number>;
  state: Record<string, number>;
  problem: Record<string, number>;
  /** Sum of the rows' own counters. */
  attempts: number;
  /** The first rows, as they would come in. */
  sample: PreviewedRow[];
  /** What attaching would run. */
  statements: string[];
}

/** What attaching a table would do, found without changing anything. Reads the table in chunks by its key. */
export async function previewAttach(
  db: Db,
  attachment: Attachment,
  {
    chunk,
    signal,
    on_progress,
  }: { chunk: number; signal?: AbortSignal; on_progress?: (progress: BackfillProgress) => void },
): Promise<AttachPreview> {
  const total = await countRows(db, attachment.schema_name, attachment.table_name);
  const preview: AttachPreview = {
    rows: 0,
    failure_class: {},
    state: {},
    problem: {},
    attempts: 0,
    sample: [],
    statements: [],
  };
  preview.statements = await attachStatements(db, attachment);
  for (let after: string[] | null = null; ; ) {
    signal?.throwIfAborted();
    const place: string[] | null = after;
    const step: PreviewedRows = await db.transaction(
      async (tx) => {
        await tx.execute(sql`set local statement_timeout = 0`);
        return previewRows(tx, attachment, { after: place, size: chunk, shown: preview.sample.length === 0 ? 5 : 0 });
      },
      { accessMode: 'read only' },
    );
    if (step.rows_read === 0) return preview;
    preview.rows += step.rows_read;
    preview.attempts += step.counts.attempts?.sum ?? 0;
    for (const facet of ['failure_class', 'state', 'problem'] as const)
      for (const [value, count] of Object.entries(step.counts[facet] ?? {}))
        preview[facet][value] = (preview[facet][value] ?? 0) + count;
    preview.sample.push(...(step.sample ?? []));
    on_progress?.({ done: preview.rows, total });
    after = step.last;
  }
}
