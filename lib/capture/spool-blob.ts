import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile, rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder, writeSome } from './spool-file';
import { sha256Of } from './spool-line';

/** Writes a payload to `blobs/<sha256>`: under another name first, so that what has this name is whole. */
export async function writeBlob(folder: string, sha256: string, bytes: Uint8Array): Promise<void> {
  const blobs = join(folder, 'blobs');
  const path = join(blobs, sha256);
  await mkdir(blobs, { recursive: true, mode: 0o770 });
  if (await isThere(path, sha256)) return syncFolder(blobs);
  const part = join(blobs, `.${randomBytes(8).toString('hex')}.part`);
  try {
    const handle = await open(part, 'wx', 0o660);
    try {
      const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      for (let written = 0; written < all.length; ) written += await writeSome(handle, all.subarray(written));
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(part, path);
  } catch (error) {
    await unlink(part).catch(() => {});
    throw error;
  }
  await syncFolder(blobs);
}

/** Read, since one that a failing disk damaged would stand for the geometry otherwise. */
async function isThere(path: string, sha256: string): Promise<boolean> {
  const found = await readFile(path).catch(() => null);
  return found !== null && sha256Of(found) === sha256;
}
