import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { SpoolFile } from './spool-source';

/** Pieces of this size are read: large enough that a line of some kilobytes seldom lies in two. */
const PIECE_BYTES = 1 << 20;
const MARK_BYTES = 4_096;

/** Opened when the first piece is asked for: the error of a stream that nobody listens to yet would end the process. */
export async function* readFrom(file: string, offset: number): AsyncGenerator<Uint8Array> {
  yield* createReadStream(file, { start: offset, highWaterMark: PIECE_BYTES }) as AsyncIterable<Uint8Array>;
}

/**
 * A hash of the beginning of the file and of what stands before the byte `bytes`: appending keeps it, replacing the file
 * changes it. A change that leaves both places and the length alone is not seen.
 */
export async function fingerprintOf(file: string, bytes: number): Promise<string | null> {
  const handle = await open(file, 'r');
  try {
    const length = Math.min(MARK_BYTES, bytes);
    const marks = Buffer.alloc(2 * length);
    const head = await handle.read(marks, 0, length, 0);
    const tail = await handle.read(marks, length, length, bytes - length);
    if (head.bytesRead < length || tail.bytesRead < length) return null;
    return createHash('sha256').update(`${bytes}\n`).update(marks).digest('hex');
  } finally {
    await handle.close();
  }
}

/** The files of a folder whose names match, by name; one that goes meanwhile is left out. */
export async function filesIn(folder: string, matches: (name: string) => boolean): Promise<SpoolFile[]> {
  const names = (await readdir(folder, { withFileTypes: true }))
    .filter((one) => one.isFile() && matches(one.name))
    .map((one) => one.name)
    .sort();
  const files: SpoolFile[] = [];
  for (const name of names) {
    const found = await stat(path.join(folder, name)).catch(nullWhereMissing);
    if (found) files.push({ name, size_bytes: found.size, modified_at: found.mtime.toISOString() });
  }
  return files;
}

/** For `.catch`: null where the file is not there, else the error. */
export function nullWhereMissing(error: unknown): null {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
  throw error;
}
