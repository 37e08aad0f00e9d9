import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSpoolLine } from '@/lib/capture/spool-line';

/** What a loader finds in a spool directory, file after file: captures in order, and reasons of lines it cannot take. */
export function readSpool(folder: string): { captures: string[]; bad: string[]; files: string[] } {
  const files = readdirSync(folder)
    .filter((name) => /\.ndjson(\.open)?$/.test(name))
    .sort();
  const captures: string[] = [];
  const bad: string[] = [];
  for (const name of files) {
    const { lines, torn } = linesOf(readFileSync(join(folder, name)));
    if (torn) bad.push(`${name} ends within a line`);
    for (const line of lines) {
      const read = readSpoolLine(line);
      if ('bad' in read) bad.push(read.bad);
      else captures.push(read.capture);
    }
  }
  return { captures, bad, files };
}

function linesOf(bytes: Buffer): { lines: Buffer[]; torn: boolean } {
  const lines: Buffer[] = [];
  let from = 0;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, from)) {
    lines.push(bytes.subarray(from, at));
    from = at + 1;
  }
  return { lines, torn: from < bytes.length };
}
