import { renameSync } from 'node:fs';
import { type FileHandle, open, rename, stat, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { OPEN_SUFFIX } from './spool-name';

/** Of the lines given, how many are safe now; why not all of them; whether the file may be written to again. */
export interface Appended {
  lines: number;
  error?: Error;
  usable: boolean;
}

/**
 * One file of the spool while it is written. A line is safe when fsync returned and the path still names the file that
 * was written: a loader may seal it by renaming it at any moment, and reads nothing that comes after.
 */
export class SpoolFile {
  /** Bytes up to the end of the last line that is safe. */
  #good_bytes = 0;
  #taken_away = false;
  readonly #opened_at = performance.now();

  private constructor(
    private readonly handle: FileHandle,
    private readonly inode: bigint,
    /** Its path once it is sealed. */
    readonly path: string,
  ) {}

  static async create(path: string): Promise<SpoolFile> {
    const handle = await open(`${path}${OPEN_SUFFIX}`, 'ax', 0o660);
    try {
      await syncFolder(dirname(path));
      return new SpoolFile(handle, (await handle.stat({ bigint: true })).ino, path);
    } catch (error) {
      await handle.close();
      // Empty: nobody is to wait for its writer.
      await unlink(`${path}${OPEN_SUFFIX}`).catch(() => {});
      throw error;
    }
  }

  get size_bytes(): number {
    return this.#good_bytes;
  }

  get age_ms(): number {
    return performance.now() - this.#opened_at;
  }

  async append(lines: readonly Buffer[]): Promise<Appended> {
    const all = lines.length === 1 && lines[0] ? lines[0] : Buffer.concat(lines);
    let written = 0;
    try {
      while (written < all.length) written += await writeSome(this.handle, all.subarray(written));
    } catch (error) {
      return this.#keepWhole(lines, written, asError(error));
    }
    try {
      await this.handle.sync();
    } catch (error) {
      // Nobody knows what the disk holds now: the lines are cut off here and written to another file.
      await this.handle.truncate(this.#good_bytes).catch(() => {});
      return { lines: 0, error: asError(error), usable: false };
    }
    return this.#settle(all.length, lines.length);
  }

  /** After a write that failed: a full disk keeps the whole lines that still fitted, any other error none of them. */
  async #keepWhole(lines: readonly Buffer[], written: number, error: Error): Promise<Appended> {
    const [bytes, count] = isFull(error) ? wholeLines(lines, written) : [0, 0];
    try {
      await this.handle.truncate(this.#good_bytes + bytes);
      if (count > 0) await this.handle.sync();
    } catch {
      return { lines: 0, error, usable: false };
    }
    const settled = await this.#settle(bytes, count);
    return { error, ...settled, usable: settled.usable && isFull(error) };
  }

  async #settle(bytes: number, lines: number): Promise<Appended> {
    const now = await stat(`${this.path}${OPEN_SUFFIX}`, { bigint: true }).catch(() => null);
    this.#taken_away = now?.ino !== this.inode;
    if (this.#taken_away) return { lines: 0, error: new Error(`${this.path} was taken away`), usable: false };
    this.#good_bytes += bytes;
    return { lines, usable: true };
  }

  /** Nothing is written to it from here on; an empty one goes. False where the disk refused: to be tried again. */
  async seal(): Promise<boolean> {
    await this.handle.close().catch(() => {});
    if (this.#taken_away) return true;
    const open_path = `${this.path}${OPEN_SUFFIX}`;
    try {
      await (this.#good_bytes === 0 ? unlink(open_path) : rename(open_path, this.path));
      return true;
    } catch (error) {
      // A loader may have sealed it just now: then there is nothing of that name any more.
      return error instanceof Error && 'code' in error && error.code === 'ENOENT';
    }
  }

  sealAtExit(): void {
    try {
      if (this.#good_bytes > 0) renameSync(`${this.path}${OPEN_SUFFIX}`, this.path);
    } catch {
      // The loader seals it once it sees that its process is gone.
    }
  }
}

/** The write may be short; one of nothing would loop for ever. */
export async function writeSome(handle: FileHandle, bytes: Buffer): Promise<number> {
  const { bytesWritten } = await handle.write(bytes);
  if (bytesWritten === 0) throw new Error('the disk took no byte of a write');
  return bytesWritten;
}

/** Makes the names in a folder as safe as the files. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function wholeLines(lines: readonly Buffer[], written: number): [bytes: number, count: number] {
  let bytes = 0;
  let count = 0;
  for (const line of lines) {
    if (bytes + line.length > written) break;
    bytes += line.length;
    count += 1;
  }
  return [bytes, count];
}

/** No room: the file itself is sound, and a later line may fit. */
export function isFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
