import type { Db } from '@/db/client';
import { dismissRejectedLine } from '@/db/queries/dismiss-rejected-line';
import { getRejectedEvidence } from '@/db/queries/get-rejected-evidence';
import { updateRejectedReason } from '@/db/queries/update-rejected-reason';
import { blobSink } from '@/lib/blobs/blob-sink';
import { ConfigError } from '@/lib/config';
import type { Captured } from '@/lib/contract/capture';
import { DlqError } from '@/lib/contract/error';
import type { RejectedLineState } from '@/lib/contract/spool';
import { moveLargeGeometry } from '@/lib/ingest/move-large-geometry';
import { storableText } from '@/lib/ingest/storable-text';
import { findKeptLine } from './find-kept-line';
import { type KeptPlaces, keptPlaces, NOWHERE } from './kept-places';
import { moveBlobs } from './move-blobs';
import { fileIdentity, readLine } from './read-line';
import type { RejectReason } from './rejected-line';
import { openLine, type RejectedContext, taken } from './rejected-lines';
import { SourceError } from './source-error';
import type { RawLine } from './split-lines';
import { storeHalves } from './store-lines';

/**
 * Tries a line once more, with the bytes that were rejected: a newer version may take what an older one refused. The line
 * is then dealt with, or keeps the reason why it is refused now.
 * @throws DlqError not_found, conflict; unprocessable where it is refused again, or its bytes are gone or were changed;
 * storage_unavailable.
 */
export async function retryRejected(ctx: RejectedContext, id: string): Promise<Captured> {
  const line = await openLine(ctx.db, id);
  const places = placesOf(line);
  const { sha256, edition } = await evidenceOf(ctx.db, id);
  const raw = line.is_whole ? wholeHead(line) : await findKeptLine({ ...line, sha256 }, places);
  const one = readLine(fileIdentity({ spool_file_id: line.spool_file_id, edition }), raw);
  if ('rejected' in one) throw await refusedAgain(ctx.db, line, one.rejected);
  if (places.beside && one.blob) await moveBlobs(places.beside, blobSink(ctx.db), [one.blob]).catch(asDlqError);
  const good = { ...one, proposal: await moveLargeGeometry(ctx.db, one.proposal) };
  const answer = await ctx.db.transaction(async (tx) => {
    const [stored] = await storeHalves(tx, [good]);
    if (!stored) throw new Error('no answer came for the line');
    if (stored instanceof DlqError) return stored;
    if (!(await dismissRejectedLine(tx, { id: line.id, by: ctx.actor.name, entry_id: stored.id }))) throw taken(id);
    return stored;
  });
  if (answer instanceof DlqError)
    throw await refusedAgain(ctx.db, line, { reason: 'unprocessable', message: answer.message });
  return answer;
}

function placesOf(line: RejectedLineState): KeptPlaces {
  try {
    return keptPlaces(line, process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    if (line.is_whole) return NOWHERE;
    throw new DlqError('storage_unavailable', `this server cannot read the spool: ${error.message}`);
  }
}

/** The line of a row that holds all of it. */
function wholeHead({ line, byte_offset: offset, head, reason }: RejectedLineState): RawLine {
  const bytes = Buffer.from(head, 'utf8');
  return { line, offset, end: offset + bytes.length, bytes, is_whole: true, is_ended: reason !== 'torn' };
}

async function evidenceOf(db: Db, id: string) {
  const evidence = await getRejectedEvidence(db, id);
  if (!evidence) throw new DlqError('not_found', `there is no rejected line ${id}`);
  return evidence;
}

/** Notes why the line is refused now. */
async function refusedAgain(
  db: Db,
  { id, line, name }: RejectedLineState,
  { reason, message }: { reason: RejectReason; message: string },
): Promise<DlqError> {
  await updateRejectedReason(db, { id, reason, message: storableText(message).slice(0, 2_000) });
  return new DlqError('unprocessable', `line ${line} of ${name} cannot be taken: ${message}`, { reason });
}

/** For `.catch`: the payload's place or the blob store cannot serve now; the line stays as it is. */
function asDlqError(error: unknown): never {
  if (!(error instanceof SourceError)) throw error;
  throw new DlqError('storage_unavailable', `the payload beside the line cannot be moved now: ${error.message}`);
}
