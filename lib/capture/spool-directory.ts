import { closeSync, constants, fsyncSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs';
import { access, mkdir, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { GroupCommit, type WaitingLine } from './group-commit';
import type { Spool, SpoolOptions } from './spool';
import { writeBlob } from './spool-blob';
import { isFull, SpoolFile, syncFolder } from './spool-file';
import { spoolLine } from './spool-line';
import { OPEN_SUFFIX, spoolFileNames } from './spool-name';
import { SpoolRoom } from './spool-room';
import { within } from './within';

const DEFAULT_MAX_BYTES = 1_000_000_000;
const DEFAULT_MAX_AGE_MS = 60_000;
/** Until a file that the disk refused to rename is tried again. */
const RESEAL_MS = 1000;
const MAX_FILE_BYTES = 64_000_000;
const MAX_BLOBS_AT_ONCE_BYTES = 128_000_000;
/** Files that fail one after the other for one group of lines before it is given up. */
const MAX_FILES = 3;
const LITTLE_FREE_BYTES = 64_000_000;

type DirectoryOptions = Pick<SpoolOptions, 'max_bytes' | 'max_age_ms'> & { warn: (text: string) => void };

/** A spool in a directory, whose files and their order are those of `spool-name.ts`. All work on the disk is awaited. */
export function directorySpool(folder: string, options: DirectoryOptions): Spool {
  const where = `the spool ${folder}`;
  const max_age_ms = options.max_age_ms ?? DEFAULT_MAX_AGE_MS;
  const room = new SpoolRoom(folder, options.max_bytes ?? DEFAULT_MAX_BYTES);
  const lines = new GroupCommit(where, commit);
  const nextName = spoolFileNames();
  let made: Promise<void> | undefined;
  let file: SpoolFile | undefined;
  /** Written, and not renamed yet because the disk refused: a loader would wait for them until this process ends. */
  const unsealed: SpoolFile[] = [];
  let age_timer: NodeJS.Timeout | undefined;
  let blob_bytes = 0;

  function madeFolder(): Promise<void> {
    made ??= makeFolder(folder).catch((error: unknown) => {
      made = undefined;
      throw new Error(
        `${where} cannot be made or written to: ${String(error)}; set DLO_SPOOL_DIR to a folder that can`,
      );
    });
    return made;
  }

  async function commit(group: readonly WaitingLine[]): Promise<void> {
    await madeFolder();
    let left = await thatFit(group);
    for (let files = 0; left.length > 0 && files < MAX_FILES; files += 1) {
      const into = await currentFile(left);
      const done = await into.append(left.map((one) => one.bytes));
      for (const one of left.slice(0, done.lines)) {
        room.taken(one.bytes.length);
        one.kept(into.path);
      }
      left = left.slice(done.lines);
      if (!done.usable) await sealFile();
      if (done.error && (isFull(done.error) || files + 1 === MAX_FILES)) {
        throw new Error(`${where} could not be written to: ${done.error.message}`);
      }
    }
  }

  async function thatFit(group: readonly WaitingLine[]): Promise<WaitingLine[]> {
    let left = await room.left(bytesOf(group));
    return group.filter((one) => {
      const fits = one.bytes.length <= left;
      if (fits) left -= one.bytes.length;
      else one.lost(room.full());
      return fits;
    });
  }

  async function currentFile(group: readonly WaitingLine[]): Promise<SpoolFile> {
    if (file) {
      const over = file.size_bytes > 0 && file.size_bytes + bytesOf(group) > MAX_FILE_BYTES;
      if (over || file.age_ms >= max_age_ms) await sealFile();
    }
    if (!file) {
      file = await createFile();
      sealLater(max_age_ms);
    }
    return file;
  }

  /** Someone may have removed the folder meanwhile. */
  async function createFile(): Promise<SpoolFile> {
    try {
      return await SpoolFile.create(join(folder, nextName()));
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
      made = undefined;
      await madeFolder();
      return SpoolFile.create(join(folder, nextName()));
    }
  }

  async function sealFile(): Promise<void> {
    clearTimeout(age_timer);
    if (file) unsealed.push(file);
    file = undefined;
    for (const one of unsealed.splice(0)) if (!(await one.seal()) && !(await one.seal())) unsealed.push(one);
    if (unsealed.length > 0) sealLater(RESEAL_MS);
  }

  function sealLater(ms: number): void {
    clearTimeout(age_timer);
    age_timer = setTimeout(() => void lines.exclusive(sealFile), ms);
    age_timer.unref();
  }

  /** A write under way may still go on: its file is left to the loader, and its lines are written once more. */
  function appendAtExit(more: readonly string[]): void {
    for (const one of unsealed) one.sealAtExit();
    if (!lines.busy) file?.sealAtExit();
    const left = [...lines.takeUnfinished(), ...more.map(spoolLine)];
    if (left.length === 0) return;
    if (lines.stalled) throw new Error(`${where} does not answer: ${left.length} captures are lost`);
    mkdirSync(folder, { recursive: true, mode: 0o770 });
    const path = join(folder, nextName());
    const handle = openSync(`${path}${OPEN_SUFFIX}`, 'ax', 0o660);
    try {
      const all = Buffer.concat(left);
      for (let written = 0; written < all.length; ) written += writeSync(handle, all, written);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    renameSync(`${path}${OPEN_SUFFIX}`, path);
  }

  void madeFolder()
    .then(() => warnWhereUnfit(folder, where, options.warn))
    .catch((error: Error) => options.warn(error.message));

  return {
    where: folder,
    append: (line, signal) => lines.append(line, signal),
    async put_blob(sha256, bytes, signal) {
      if (blob_bytes + bytes.byteLength > MAX_BLOBS_AT_ONCE_BYTES && blob_bytes > 0)
        throw new Error(`${where} is too slow`);
      blob_bytes += bytes.byteLength;
      const written = (async () => {
        await madeFolder();
        if ((await room.left(bytes.byteLength)) < bytes.byteLength) throw room.full();
        await writeBlob(folder, sha256, bytes);
        room.taken(bytes.byteLength);
      })().finally(() => {
        blob_bytes -= bytes.byteLength;
      });
      await within(signal, written, where);
    },
    seal: (signal) => within(signal, lines.exclusive(sealFile), where),
    append_at_exit: appendAtExit,
  };
}

function bytesOf(group: readonly WaitingLine[]): number {
  return group.reduce((sum, one) => sum + one.bytes.length, 0);
}

async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: 0o770 });
  for (let one = folder; first !== undefined && one.length >= first.length; one = dirname(one)) {
    await syncFolder(dirname(one));
  }
  await access(folder, constants.W_OK | constants.X_OK);
}

/** Also said while it can be used: nobody looks here before the day on which it is needed. */
async function warnWhereUnfit(folder: string, where: string, warn: (text: string) => void): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  if (free < LITTLE_FREE_BYTES) {
    warn(`${where} lies on a disk with ${Math.floor(free / 1_000_000)} MB free; it may need up to 1,000`);
  }
}
