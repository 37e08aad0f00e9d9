import { createHash } from 'node:crypto';
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import path from 'node:path';

interface Known {
  size: number;
  digests: Set<string>;
}

/** Side files of one folder. What a loader that was killed had written before is recognised and not written again. */
export class SideFiles {
  /** By file; what another process appended meanwhile shows in the size. */
  private readonly known = new Map<string, Known>();

  /** Appends what is not there yet; durable when it resolves. */
  async append(file: string, lines: readonly string[]): Promise<void> {
    await mkdir(path.dirname(file), { recursive: true });
    const handle = await open(file, 'a+', 0o600);
    try {
      const { size } = await handle.stat();
      const before = this.known.get(file);
      const known = before?.size === size ? before : await readKnown(handle);
      const fresh = lines.filter((line) => !known.digests.has(digestOf(line)));
      if (fresh.length > 0) await handle.appendFile(fresh.join(''));
      await handle.sync();
      if (size === 0) await syncFolder(path.dirname(file));
      for (const line of fresh) known.digests.add(digestOf(line));
      this.known.set(file, { size: (await handle.stat()).size, digests: known.digests });
    } finally {
      await handle.close();
    }
  }

  forget(file: string): void {
    this.known.delete(file);
  }
}

/** The lines of a side file; a last one that was cut off is taken away. */
async function readKnown(handle: FileHandle): Promise<Known> {
  const bytes = await handle.readFile();
  const size = bytes.lastIndexOf(0x0a) + 1;
  if (size < bytes.length) await handle.truncate(size);
  const lines = bytes.toString('utf8', 0, size).split('\n').slice(0, -1);
  return { size, digests: new Set(lines.map((line) => digestOf(`${line}\n`))) };
}

const digestOf = (line: string): string => createHash('sha256').update(line).digest('base64');

/** A new name in a folder is durable only when the folder is. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
