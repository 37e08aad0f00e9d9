import { setImmediate as nextTurn } from 'node:timers/promises';
import { MAX_CAPTURE_BYTES } from '@/lib/ingest/capture-many';
import { type ReadLine, readLine } from './read-line';
import { readAtSource, SourceError } from './source-error';
import { type Place, splitLines } from './split-lines';
import type { SpoolSource } from './spool-source';
import { STDIN } from './standard-input';

/** Lines that are stored together, and the place behind them. */
export interface Chunk {
  read: ReadLine[];
  to: Place;
  is_last: boolean;
}

export interface ChunkLimits {
  chunk_lines: number;
  chunk_bytes: number;
  max_line_bytes: number;
}

/** A chunk is one transaction. Larger ones gain nothing and hold their locks longer. */
export const CHUNK_LIMITS: ChunkLimits = {
  chunk_lines: 1_000,
  chunk_bytes: 8_000_000,
  max_line_bytes: MAX_CAPTURE_BYTES,
};

/** Reading a line costs tens of microseconds; after so many of them the chunk before gets its turn to be stored. */
const LINES_A_TURN = 50;

/**
 * Reads a file from `from` on; the last chunk, which may be empty, is marked. A torn last line is given, and the place
 * stays before it: a file that is still written gets it whole later. `identity` is the file's, see `fileIdentity`.
 * @throws SourceError, also where the file is packed.
 */
export async function* readChunks(
  source: SpoolSource,
  name: string,
  from: Place,
  limits: ChunkLimits,
  identity = name,
): AsyncGenerator<Chunk> {
  const place = { ...from };
  let read: ReadLine[] = [];
  let bytes = 0;
  let torn: Place | null = null;
  for await (const raw of splitLines(unpacked(source, name, from.offset), place, limits)) {
    const one = readLine(identity, raw);
    read.push(one);
    bytes += raw.bytes.byteLength;
    if ('rejected' in one && one.rejected.reason === 'torn' && !raw.is_ended)
      torn = { offset: raw.offset, lines: raw.line - 1 };
    if (read.length % LINES_A_TURN === 0) await nextTurn();
    if (torn || (read.length < limits.chunk_lines && bytes < limits.chunk_bytes)) continue;
    yield { read, to: { ...place }, is_last: false };
    read = [];
    bytes = 0;
  }
  yield { read, to: torn ?? place, is_last: true };
}

/** The bytes of a file of lines. One packed by gzip would be rejected line by line, each of them binary. */
async function* unpacked(source: SpoolSource, name: string, offset: number): AsyncGenerator<Uint8Array> {
  let at = offset;
  for await (const bytes of readAtSource(source, name, offset)) {
    if (at === 0 && bytes[0] === 0x1f && bytes[1] === 0x8b)
      throw new SourceError(
        new Error(`${name} is packed by gzip: run “zcat ${source.url === STDIN ? 'FILE' : name} | npx dlo ingest -”`),
      );
    at += bytes.byteLength;
    yield bytes;
  }
}
