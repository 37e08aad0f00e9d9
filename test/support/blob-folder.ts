import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { vi } from 'vitest';

/** An empty folder as DLO_BLOBS of this test file; to be made before the configuration is read. */
export interface BlobFolder {
  folder: string;
  pathOf: (sha256: string) => string;
  /** Flips a bit of a stored blob, as a failing disk does. */
  damage: (sha256: string, bytes: Uint8Array) => void;
  remove: () => void;
}

export function makeBlobFolder(): BlobFolder {
  const folder = mkdtempSync(path.join(tmpdir(), 'dlo-blobs-'));
  vi.stubEnv('DLO_BLOBS', folder);
  const pathOf = (sha256: string) => path.join(folder, sha256.slice(0, 2), sha256.slice(2, 4), sha256);
  return {
    folder,
    pathOf,
    damage(sha256, bytes) {
      const damaged = Buffer.from(bytes);
      damaged[0] = (damaged[0] ?? 0) ^ 1;
      writeFileSync(pathOf(sha256), damaged);
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
