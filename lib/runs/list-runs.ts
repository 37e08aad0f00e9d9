import type { Db } from '@/db/client';
import { listRunRows } from '@/db/queries/list-runs';
import { DlqError } from '@/lib/contract/error';
import { type RunList, type RunStatus, runSchema } from '@/lib/contract/run';

export interface ListRunsInput {
  queue: string | null;
  task_name: string | null;
  status: RunStatus | null;
  cursor: string | null;
  limit: number;
}

/** Runs, the latest started first, a page at a time. @throws DlqError bad_request for text that is no cursor. */
export async function listRuns({ db }: { db: Db }, { cursor, limit, ...filter }: ListRunsInput): Promise<RunList> {
  const rows = await listRunRows(db, { ...filter, after: readCursor(cursor), limit: limit + 1 });
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return {
    items: page.map((row) => runSchema.parse(row)),
    next_cursor: last ? Buffer.from(`${last.started_us} ${last.id}`).toString('base64url') : null,
  };
}

function readCursor(cursor: string | null): { started_us: string; id: string } | null {
  if (cursor === null) return null;
  const text = Buffer.from(cursor, 'base64url').toString('utf8');
  const [, started_us, id] = /^(-?\d{1,18}) (\d{1,18})$/.exec(text) ?? [];
  if (started_us === undefined || id === undefined)
    throw new DlqError('bad_request', 'the cursor cannot be read: take the next_cursor of an answer as it came', {
      parameter: 'cursor',
    });
  return { started_us, id };
}
