import { createHash } from 'node:crypto';
import { DlqError } from '@/lib/contract/error';
import type { RejectedLineState } from '@/lib/contract/spool';
import type { KeptFile, KeptPlaces } from './kept-places';
import { CHUNK_LIMITS } from './read-chunks';
import { LONG_LINE_HEAD_BYTES, type RawLine, splitLines } from './split-lines';
import { STDIN } from './standard-input';

export type SoughtLine = Pick<
  RejectedLineState,
  'source' | 'name' | 'side_file' | 'line' | 'byte_offset' | 'reason'
> & {
  /** Of the bytes that were rejected: the line's, or its first ones' where it was too long. */
  sha256: string;
};

/** A side file's line holds a spool's line as JSON: its quotes, and at worst each of its bytes, escaped. */
const MAX_SIDE_LINE_BYTES = 6 * CHUNK_LIMITS.max_line_bytes;

/**
 * The bytes of a rejected line as they were rejected, from the file, its loaded copy or the side file: each is taken only
 * where it hashes to what was noted. @throws DlqError unprocessable where none does; storage_unavailable.
 */
export async function findKeptLine(
  line: SoughtLine,
  places: KeptPlaces,
  max_line_bytes: number = CHUNK_LIMITS.max_line_bytes,
): Promise<RawLine> {
  const changed: string[] = [];
  const seek = async (file: KeptFile, find: (file: KeptFile) => Promise<RawLine | null | undefined>) => {
    try {
      const found = await find(file);
      if (found === null) changed.push(file.where);
      return found;
    } catch (error) {
      throw unreadable(file.where, error);
    }
  };
  for await (const file of guarded(places.copies(), line.source)) {
    const found = await seek(file, (one) => inCopy(line, one, max_line_bytes));
    if (found) return found;
  }
  for await (const file of guarded(places.sides(), line.source)) {
    const found = await seek(file, (one) => inSideFile(line, one));
    if (found) return found;
  }
  throw new DlqError('unprocessable', notFound(line, changed));
}

const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Undefined where the file is not there, null where other bytes stand in the line's place. */
async function inCopy(line: SoughtLine, file: KeptFile, max_line_bytes: number): Promise<RawLine | null | undefined> {
  const raw = await lineAt(line, file, max_line_bytes);
  if (!raw || sha256Of(raw.bytes) === line.sha256) return raw;
  // It was too long for the version that rejected it, which noted the hash of what it held of it.
  const head = await lineAt(line, file, LONG_LINE_HEAD_BYTES);
  return head && sha256Of(head.bytes) === line.sha256 ? raw : null;
}

async function lineAt({ line, byte_offset }: SoughtLine, file: KeptFile, max_line_bytes: number) {
  const bytes = await file.read(byte_offset);
  if (!bytes) return undefined;
  const place = { offset: byte_offset, lines: line - 1 };
  for await (const raw of splitLines(bytes, place, { max_line_bytes })) return raw.offset === byte_offset ? raw : null;
  return null;
}

async function inSideFile(line: SoughtLine, file: KeptFile): Promise<RawLine | null | undefined> {
  const bytes = await file.read(0);
  if (!bytes) return undefined;
  let is_named = false;
  for await (const raw of splitLines(bytes, { offset: 0, lines: 0 }, { max_line_bytes: MAX_SIDE_LINE_BYTES })) {
    if (!raw.is_whole || !isOfLine(raw.bytes, line.line)) continue;
    is_named = true;
    const kept = readSideLine(raw.bytes);
    if (!kept?.is_whole || sha256Of(kept.bytes) !== line.sha256) continue;
    const { byte_offset: offset, reason } = line;
    const end = offset + kept.bytes.byteLength;
    return { line: line.line, offset, end, bytes: kept.bytes, is_whole: true, is_ended: reason !== 'torn' };
  }
  return is_named ? null : undefined;
}

/** The members before the text, as `sideFileLine` orders them: a file's name of 255 bytes, escaped, and the number. */
const SIDE_LINE_HEAD_BYTES = 2_000;
const isOfLine = (side_line: Uint8Array, line: number): boolean =>
  Buffer.from(side_line.subarray(0, SIDE_LINE_HEAD_BYTES)).toString('latin1').includes(`"line":${line},`);

/** Null for what is no line of a side file. */
function readSideLine(bytes: Uint8Array): { bytes: Uint8Array; is_whole: boolean } | null {
  try {
    const { text, base64, is_whole = true } = JSON.parse(Buffer.from(bytes).toString('utf8'));
    return { bytes: base64 ? Buffer.from(base64, 'base64') : Buffer.from(text, 'utf8'), is_whole };
  } catch {
    return null;
  }
}

async function* guarded(files: AsyncIterable<KeptFile>, where: string): AsyncGenerator<KeptFile> {
  try {
    yield* files;
  } catch (error) {
    throw unreadable(where, error);
  }
}

function unreadable(where: string, error: unknown): DlqError {
  if (error instanceof DlqError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new DlqError('storage_unavailable', `${where} cannot be read now: ${reason}`);
}

function notFound({ line, name, source, side_file }: SoughtLine, changed: readonly string[]): string {
  const it = `only the beginning of line ${line} of ${name} is kept here`;
  if (source === STDIN && changed.length === 0)
    return `${it}: it came through a pipe; its side file, on the machine where dlo ingest ran, has all of it (${side_file})`;
  if (changed.length === 0)
    return `${it}: this server finds neither the file, nor its loaded copy, nor its side file in ${source}`;
  return `${it}: ${changed.join(' and ')} ${changed.length > 1 ? 'do' : 'does'} not hold the bytes that were rejected`;
}
