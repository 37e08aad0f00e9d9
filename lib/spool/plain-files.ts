import { stat } from 'node:fs/promises';
import path from 'node:path';
import { filesIn, fingerprintOf, nullWhereMissing, readFrom } from './file-bytes';
import { sideFileLine } from './rejected-line';
import { SideFiles } from './side-file';
import type { SpoolSource } from './spool-source';

/** Files of one folder outside any spool: read, never moved or removed. Bad lines go beside them, or into `side_folder`. */
export function plainFiles(folder: string, names: ReadonlySet<string>, side_folder: string = folder): SpoolSource {
  const sides = new SideFiles();
  const sideFile = (name: string) => path.join(side_folder, `${name}.rejected`);
  return {
    kind: 'directory',
    url: folder,
    list: () => filesIn(folder, (name) => names.has(name)),
    read: (name, offset) => readFrom(path.join(folder, name), offset),
    fingerprint: (name, bytes) => fingerprintOf(path.join(folder, name), bytes),
    sideFile,
    reject: (name, lines) =>
      sides.append(
        sideFile(name),
        lines.map((line) => sideFileLine(name, line)),
      ),
    retire: async () => {},
    async readBlob(sha256) {
      const blob = path.join(folder, 'blobs', sha256);
      return (await stat(blob).catch(nullWhereMissing)) && readFrom(blob, 0);
    },
    releaseBlob: async () => {},
    rejectBlob: async () => {},
  };
}
