import path from 'node:path';
import { sideFileLine } from './rejected-line';
import { SideFiles } from './side-file';
import type { SpoolSource } from './spool-source';

export const STDIN = 'stdin';

/** Lines from a pipe, once: what was stored before it broke off counts once when they come again. */
export function standardInput(stdin: AsyncIterable<Uint8Array>, side_folder: string): SpoolSource {
  const at = new Date().toISOString();
  const own = `${at.replace(/[:.]/g, '-')}-${process.pid}`;
  const sides = new SideFiles();
  const sideFile = (name: string) => path.join(side_folder, `${STDIN}-${name}.rejected`);
  return {
    kind: 'directory',
    url: STDIN,
    list: async () => [{ name: own, size_bytes: 0, modified_at: at }],
    read: () => stdin,
    fingerprint: async () => null,
    sideFile,
    reject: (name, lines) =>
      sides.append(
        sideFile(name),
        lines.map((line) => sideFileLine(STDIN, line)),
      ),
    retire: async () => {},
    readBlob: async () => null,
    releaseBlob: async () => {},
    rejectBlob: async () => {},
  };
}
