import type { Db } from '@/db/client';
import { dismissRejectedLine } from '@/db/queries/dismiss-rejected-line';
import { getRejectedLine, listRejectedLines } from '@/db/queries/list-rejected-lines';
import { DlqError } from '@/lib/contract/error';
import type { RejectedLineState, RejectedList } from '@/lib/contract/spool';
import { pageOf, readIdCursor } from './id-cursor';

const LINES_A_PAGE = 100;

export interface RejectedContext {
  db: Db;
  actor: { name: string };
}

/** Lines that could not be taken, the newest first. @throws DlqError bad_request for a cursor that is none. */
export async function listRejected(
  { db }: { db: Db },
  { cursor, is_open }: { cursor: string | null; is_open: boolean | null },
): Promise<RejectedList> {
  const rows = await listRejectedLines(db, { before: readIdCursor(cursor), is_open, limit: LINES_A_PAGE + 1 });
  return pageOf(rows, LINES_A_PAGE);
}

/** Says that nothing more is to be done about a line. @throws DlqError not_found, conflict. */
export async function dismissRejected(ctx: RejectedContext, id: string): Promise<RejectedLineState> {
  const line = await openLine(ctx.db, id);
  if (!(await dismissRejectedLine(ctx.db, { id: line.id, by: ctx.actor.name, entry_id: null }))) throw taken(id);
  return oneLine(ctx.db, id);
}

async function oneLine(db: Db, id: string): Promise<RejectedLineState> {
  const line = /^\d{1,18}$/.test(id) ? await getRejectedLine(db, id) : null;
  if (!line) throw new DlqError('not_found', `there is no rejected line ${id.slice(0, 40)}`);
  return line;
}

/** @throws DlqError not_found, conflict where it was dealt with. */
export async function openLine(db: Db, id: string): Promise<RejectedLineState> {
  const line = await oneLine(db, id);
  if (line.dismissed_at !== null)
    throw new DlqError(
      'conflict',
      `the rejected line ${id} was dealt with by ${line.dismissed_by} at ${line.dismissed_at}`,
    );
  return line;
}

export const taken = (id: string): DlqError =>
  new DlqError('conflict', `somebody else has just dealt with the rejected line ${id}`);
