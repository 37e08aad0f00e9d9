import { mkdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { isSha256 } from '@/lib/blobs/blob-store';
import { OPEN_SUFFIX, parseSpoolFileName, spoolHost } from '@/lib/capture/spool-name';
import { filesIn, fingerprintOf, nullWhereMissing, readFrom } from './file-bytes';
import { isProcessAlive } from './process-alive';
import { sideFileLine } from './rejected-line';
import { SideFiles } from './side-file';
import type { SpoolSource } from './spool-source';

/** An open file that nobody wrote to for this long has no writer any more: writers leave theirs after 60 s. */
const STALE_MS = 300_000;

/** A spool directory as the clients write it. Files that are loaded go to `loaded/`, bad lines to `rejected/`. */
export function spoolDirectory(folder: string): SpoolSource {
  const at = (...names: string[]) => path.join(folder, ...names);
  const sides = new SideFiles();
  const sideFile = (name: string) => at('rejected', name);
  return {
    kind: 'directory',
    url: folder,
    moves_loaded: true,
    list: () => filesIn(folder, (name) => name.endsWith('.ndjson')),
    read: (name, offset) => readFrom(at(name), offset),
    fingerprint: (name, bytes) => fingerprintOf(at(name), bytes),
    sideFile,
    reject: (name, lines) =>
      sides.append(
        sideFile(name),
        lines.map((line) => sideFileLine(name, line)),
      ),
    async retire(name) {
      sides.forget(sideFile(name));
      await mkdir(at('loaded'), { recursive: true });
      await rename(at(name), await freeName(at('loaded', name))).catch(nullWhereMissing);
    },
    async readBlob(sha256) {
      const blob = at('blobs', sha256);
      return (await stat(blob).catch(nullWhereMissing)) && readFrom(blob, 0);
    },
    async listBlobs(before) {
      if (!(await stat(at('blobs')).catch(nullWhereMissing))) return [];
      const blobs = await filesIn(at('blobs'), isSha256);
      return blobs.filter(({ modified_at }) => new Date(modified_at) < before).map(({ name }) => name);
    },
    releaseBlob: (sha256) => rm(at('blobs', sha256), { force: true }),
    async rejectBlob(sha256) {
      await mkdir(at('rejected', 'blobs'), { recursive: true });
      await rename(at('blobs', sha256), at('rejected', 'blobs', sha256)).catch(nullWhereMissing);
    },
    async seal(now) {
      for (const { name, modified_at } of await filesIn(folder, (one) => one.endsWith(`.ndjson${OPEN_SUFFIX}`))) {
        if (!isWriterGone(name) && now.getTime() - Date.parse(modified_at) < STALE_MS) continue;
        const sealed = at(name.slice(0, -OPEN_SUFFIX.length));
        if (!(await stat(sealed).catch(nullWhereMissing))) await rename(at(name), sealed).catch(nullWhereMissing);
      }
    },
    async prune(before, keep) {
      const removed: string[] = [];
      await removeParts(at('blobs'));
      if (!(await stat(at('loaded')).catch(nullWhereMissing))) return removed;
      for (const { name } of await filesIn(at('loaded'), () => true)) {
        // The change time is that of the move; the modification time is the writer's.
        const found = await stat(at('loaded', name)).catch(nullWhereMissing);
        if (!found || found.ctime >= before || keep.has(name.replace(SAME_NAME, ''))) continue;
        await rm(at('loaded', name), { force: true });
        removed.push(name);
      }
      return removed;
    },
    async listSideFiles(before) {
      if (!(await stat(at('rejected')).catch(nullWhereMissing))) return [];
      const files = await filesIn(at('rejected'), () => true);
      return files.filter(({ modified_at }) => new Date(modified_at) < before).map(({ name }) => name);
    },
    async removeSideFile(name) {
      sides.forget(sideFile(name));
      await rm(sideFile(name), { force: true });
    },
  };
}

/** A payload that is written gets bytes all the time; its capture counts only once it has its name. */
const STALE_PART_MS = 3_600_000;

/** What writers that were killed have left of payloads takes room from the others. */
async function removeParts(blobs: string): Promise<void> {
  if (!(await stat(blobs).catch(nullWhereMissing))) return;
  for (const { name, modified_at } of await filesIn(blobs, (one) => /^\..+\.part$/.test(one)))
    if (Date.now() - Date.parse(modified_at) > STALE_PART_MS) await rm(path.join(blobs, name), { force: true });
}

function isWriterGone(name: string): boolean {
  const parsed = parseSpoolFileName(name);
  return parsed !== null && parsed.host === spoolHost() && !isProcessAlive(parsed.pid);
}

/** What `freeName` adds. */
const SAME_NAME = /(?<=\.ndjson)\.\d+$/;

/** A file of the same name that was loaded before stays: it may have held other lines. */
async function freeName(file: string): Promise<string> {
  for (let n = 0; ; n++) {
    const name = n === 0 ? file : `${file}.${n}`;
    if (!(await stat(name).catch(nullWhereMissing))) return name;
  }
}
