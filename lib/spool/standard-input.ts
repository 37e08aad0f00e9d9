import path from 'node:path';
import { sideFileLine } from './rejected-line';
import { SideFiles } from './side-file';
import type { SpoolSource } from './spool-source';

export const STDIN = 'stdin';

/**
 * Lines from a pipe. One that brings a capture_id or its failed_at counts once when it comes again; another is a failure of
 * its own each time, as nothing tells it from that of another night.
 */
export function standardInput(stdin: AsyncIterable<Uint8Array>, side_folder: string): SpoolSource {
  const at = new Date().toISOString();
  const own = `standard input, ${at.slice(0, 10)} ${at.slice(11, -1)} UTC, process ${process.pid}`;
  const side_file = path.resolve(side_folder, `${STDIN}-${at.replace(/[:.]/g, '-')}-${process.pid}.rejected`);
  const sides = new SideFiles();
  return {
    kind: 'directory',
    url: STDIN,
    list: async () => [{ name: own, size_bytes: 0, modified_at: at }],
    read: () => stdin,
    fingerprint: async () => null,
    sideFile: () => side_file,
    reject: (_, lines) =>
      sides.append(
        side_file,
        lines.map((line) => sideFileLine(STDIN, line)),
      ),
    retire: async () => {},
    readBlob: async () => null,
    releaseBlob: async () => {},
    rejectBlob: async () => {},
  };
}
