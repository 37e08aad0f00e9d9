import { setImmediate as turn } from 'node:timers/promises';
import type { Db } from '@/db/client';
import type { Proposal } from '@/db/queries/capture';
import type { Captured, CapturedLine } from '@/lib/contract/capture';
import { DlqError } from '@/lib/contract/error';
import type { Producer } from '@/lib/contract/token';
import { moveLargeGeometries } from './move-large-geometry';
import { type NdjsonLine, ndjsonLines } from './ndjson-lines';
import { oneBehind } from './one-behind';
import { readCapture } from './read-capture';
import { storeChunk } from './store-chunk';

/** A capture's text, one by one or as a line, is at most this long. */
export const MAX_CAPTURE_BYTES = 33_000_000;

/** What a sender can do with a capture that is over it. */
export const WHEN_TOO_LARGE =
  'put the geometry into the blob store (PUT /api/blobs/{sha256}) and name it as payload_ref, and send many captures as NDJSON';

/** A chunk is one statement and one transaction; larger ones gain nothing and hold their locks longer. */
const CHUNK_LINES = 500;
const CHUNK_CHARS = 4_000_000;
/** Lines read before others have their turn: 50 take about 1.5 ms. */
const TURN_LINES = 50;

export interface CaptureManyInput {
  /** NDJSON in pieces of any size. */
  chunks: AsyncIterable<Uint8Array>;
  via: string;
  /** Whose token the lines came with. */
  producer?: Producer | null;
  /** Told how many bytes were read since the last chunk was stored. Throws to stop the reading. */
  onHeld?: (bytes: number) => void;
  /** What to answer for the lines of a chunk that failed for no fault of theirs. Throws to give up instead. */
  onFailure: (error: unknown) => DlqError;
}

/**
 * Stores many dead letters, a line each; yields the answers chunk by chunk, in the order of the lines. A line that
 * cannot be taken is answered with its number and the reason, and the others are stored. A chunk is read while the one
 * before it is stored, never two stored at once: the lines count in their order. Memory is bounded by two chunks.
 * @throws what broke the reading off, after the whole lines before it were stored and answered.
 */
export function captureMany({ db }: { db: Db }, input: CaptureManyInput): AsyncGenerator<CapturedLine[]> {
  return oneBehind(chunksToStore(db, input));
}

async function* chunksToStore(db: Db, input: CaptureManyInput): AsyncGenerator<() => Promise<CapturedLine[]>> {
  let chunk: Read[] = [];
  let chars = 0;
  let held = 0;
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const piece of input.chunks) {
      held += piece.byteLength;
      // Of a line that is longer than any, no more is kept.
      input.onHeld?.(Math.min(held, MAX_CAPTURE_BYTES + 2 * CHUNK_CHARS));
      yield piece;
    }
  }
  const step = () => {
    const lines = chunk;
    chunk = [];
    chars = 0;
    return async () => {
      const bytes = held;
      const answers = await store(db, lines, input);
      held -= bytes;
      input.onHeld?.(held);
      return answers;
    };
  };
  let broken: { by: unknown } | null = null;
  const lines = untilBroken(ndjsonLines(counted(), { max_line_bytes: MAX_CAPTURE_BYTES }), (by) => {
    broken = { by };
  });
  for await (const line of lines) {
    chunk.push(read(line, input));
    chars += 'text' in line ? line.text.length : 0;
    // also lets the chunk before this one out to the database, and its answer in
    if (chunk.length % TURN_LINES === 1) await turn();
    if (chunk.length >= CHUNK_LINES || chars >= CHUNK_CHARS) yield step();
  }
  if (chunk.length > 0) yield step();
  if (broken) throw (broken as { by: unknown }).by;
}

async function* untilBroken<T>(values: AsyncIterable<T>, onBroken: (error: unknown) => void): AsyncGenerator<T> {
  try {
    for await (const value of values) yield value;
  } catch (error) {
    onBroken(error);
  }
}

type Read = { line: number; proposal: Proposal } | { line: number; error: DlqError };

function read(given: NdjsonLine, { via, producer }: CaptureManyInput): Read {
  const { line } = given;
  if ('refused' in given) {
    const error =
      given.refused === 'too_long'
        ? new DlqError(
            'too_large',
            `the line is over the limit of ${MAX_CAPTURE_BYTES} bytes: it has ${given.bytes}; ${WHEN_TOO_LARGE}`,
          )
        : new DlqError('bad_request', 'the line is not UTF-8');
    return { line, error };
  }
  try {
    return { line, proposal: readCapture(given.text, { via, producer }) };
  } catch (error) {
    if (error instanceof DlqError) return { line, error };
    throw error;
  }
}

async function store(db: Db, chunk: readonly Read[], input: CaptureManyInput): Promise<CapturedLine[]> {
  const proposals = chunk.flatMap((one) => ('proposal' in one ? [one.proposal] : []));
  const stored = await moveLargeGeometries(db, proposals)
    .then((moved) => storeChunk(db, moved))
    .catch((error: unknown) => {
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
