import type { Db } from '@/db/client';
import type { Proposal } from '@/db/queries/capture';
import type { Captured, CapturedLine } from '@/lib/contract/capture';
import { DlqError } from '@/lib/contract/error';
import { type NdjsonLine, ndjsonLines } from './ndjson-lines';
import { readCapture } from './read-capture';
import { storeChunk } from './store-chunk';

/** A capture's text, one by one or as a line, is at most this long. */
export const MAX_CAPTURE_BYTES = 33_000_000;

/** A chunk is one statement and one transaction; larger ones gain nothing and hold their locks longer. */
const CHUNK_LINES = 500;
const CHUNK_CHARS = 4_000_000;

export interface CaptureManyInput {
  /** NDJSON in pieces of any size. */
  chunks: AsyncIterable<Uint8Array>;
  via: string;
  /** What to answer for the lines of a chunk that failed for no fault of theirs. Throws to give up instead. */
  onFailure: (error: unknown) => DlqError;
}

/**
 * Stores many dead letters, a line each; yields the answers chunk by chunk, in the order of the lines. A line that
 * cannot be taken is answered with its number and the reason, and the others are stored. Memory is bounded by a chunk.
 */
export async function* captureMany({ db }: { db: Db }, input: CaptureManyInput): AsyncGenerator<CapturedLine[]> {
  let chunk: Read[] = [];
  let chars = 0;
  for await (const line of ndjsonLines(input.chunks, { max_line_bytes: MAX_CAPTURE_BYTES })) {
    chunk.push(read(line, input.via));
    chars += 'text' in line ? line.text.length : 0;
    if (chunk.length < CHUNK_LINES && chars < CHUNK_CHARS) continue;
    yield await store(db, chunk, input);
    chunk = [];
    chars = 0;
  }
  if (chunk.length > 0) yield await store(db, chunk, input);
}

type Read = { line: number; proposal: Proposal } | { line: number; error: DlqError };

function read(given: NdjsonLine, via: string): Read {
  const { line } = given;
  if ('refused' in given) {
    const error =
      given.refused === 'too_long'
        ? new DlqError('too_large', `the line is over the limit of ${MAX_CAPTURE_BYTES} bytes`)
        : new DlqError('bad_request', 'the line is not UTF-8');
    return { line, error };
  }
  try {
    return { line, proposal: readCapture(given.text, { via }) };
  } catch (error) {
    if (error instanceof DlqError) return { line, error };
    throw error;
  }
}

async function store(db: Db, chunk: readonly Read[], input: CaptureManyInput): Promise<CapturedLine[]> {
  const proposals = chunk.flatMap((one) => ('proposal' in one ? [one.proposal] : []));
  const stored = await storeChunk(db, proposals).catch((error: unknown) => {
    const described = input.onFailure(error);
    return proposals.map(() => described);
  });
  let next = 0;
  return chunk.map((one) => answerTo(one.line, 'error' in one ? one.error : stored[next++]));
}

function answerTo(line: number, answer: Captured | DlqError | undefined): CapturedLine {
  if (answer === undefined) return { line, error: { code: 'internal', message: 'no answer came for this line' } };
  return answer instanceof DlqError ? { line, error: { code: answer.code, message: answer.message } } : answer;
}
