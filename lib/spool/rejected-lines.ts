import type { Db } from '@/db/client';
import { dismissRejectedLine } from '@/db/queries/dismiss-rejected-line';
import { getRejectedLine, listRejectedLines } from '@/db/queries/list-rejected-lines';
import { readSpoolLine } from '@/lib/capture/spool-line';
import type { Captured } from '@/lib/contract/capture';
import { DlqError } from '@/lib/contract/error';
import type { RejectedLineState, RejectedList } from '@/lib/contract/spool';
import { storeChunk } from '@/lib/ingest/store-chunk';
import { pageOf, readIdCursor } from './id-cursor';
import { idName, proposalOf } from './read-line';

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

/**
 * Tries a line's stored text once more: a newer version may take what an older one refused. The line is then dismissed.
 * @throws DlqError not_found, conflict; unprocessable where the text is not whole or is refused again.
 */
export async function retryRejected(ctx: RejectedContext, id: string): Promise<Captured> {
  const line = await openLine(ctx.db, id);
  if (!line.is_whole)
    throw new DlqError(
      'unprocessable',
      `only the beginning of line ${line.line} of ${line.name} is kept here; its side file has all of it`,
    );
  const read = readSpoolLine(Buffer.from(line.head, 'utf8'));
  if ('bad' in read)
    throw new DlqError('unprocessable', `line ${line.line} of ${line.name} is refused again: ${read.bad}`);
  const proposal = proposalOf(idName(line.source, line.name), line.line, read.capture);
  return ctx.db.transaction(async (tx) => {
    const [answer] = await storeChunk(tx, [proposal]);
    if (!answer) throw new Error('no answer came for the line');
    if (answer instanceof DlqError) throw answer;
    if (!(await dismissRejectedLine(tx, { id: line.id, by: ctx.actor.name, entry_id: answer.id }))) throw taken(id);
    return answer;
  });
}

async function oneLine(db: Db, id: string): Promise<RejectedLineState> {
  const line = /^\d{1,18}$/.test(id) ? await getRejectedLine(db, id) : null;
  if (!line) throw new DlqError('not_found', `there is no rejected line ${id.slice(0, 40)}`);
  return line;
}

async function openLine(db: Db, id: string): Promise<RejectedLineState> {
  const line = await oneLine(db, id);
  if (line.dismissed_at !== null)
    throw new DlqError(
      'conflict',
      `the rejected line ${id} was dealt with by ${line.dismissed_by} at ${line.dismissed_at}`,
    );
  return line;
}

const taken = (id: string): DlqError =>
  new DlqError('conflict', `somebody else has just dealt with the rejected line ${id}`);
