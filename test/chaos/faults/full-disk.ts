import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A small filesystem of its own, which a test fills and frees. */
export interface SmallDisk {
  folder: string;
  /** Takes all the room but `leave_bytes`. */
  fill: (leave_bytes?: number) => void;
  free: () => void;
  remove: () => void;
}

/** Whether this process may mount: as root, which is how the tests run on a clean machine. */
export const canMount = (): boolean => process.getuid?.() === 0 && probe();

let known: boolean | undefined;
function probe(): boolean {
  if (known === undefined) {
    try {
      mountSmallDisk(1_000_000).remove();
      known = true;
    } catch {
      known = false;
    }
  }
  return known;
}

/** Mounts a tmpfs of `size_bytes`. @throws Error with mount's own words where that is not allowed. */
export function mountSmallDisk(size_bytes: number): SmallDisk {
  const folder = mkdtempSync(path.join(tmpdir(), 'dlo-disk-'));
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size_bytes},mode=0777`, 'tmpfs', folder], {
    encoding: 'utf8',
  });
  if (mounted.status !== 0) {
    rmSync(folder, { recursive: true });
    throw new Error(`no small filesystem: ${mounted.stderr.trim()}`);
  }
  const ballast = path.join(folder, '.ballast');
  return {
    folder,
    fill(leave_bytes = 0) {
      const { bavail, bsize } = statfsSync(folder);
      const file = openSync(ballast, 'a');
      try {
        for (let left = bavail * bsize - leave_bytes; left > 0; left -= 65_536)
          writeSync(file, Buffer.alloc(Math.min(left, 65_536)));
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
      } finally {
        closeSync(file);
      }
    },
    free: () => rmSync(ballast, { force: true }),
    remove() {
      spawnSync('umount', ['-l', folder]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
