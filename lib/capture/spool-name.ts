import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';

/** Ends the name of a file that its writer may still append to; without it the file is sealed. */
export const OPEN_SUFFIX = '.open';

export interface SpoolFileName {
  host: string;
  pid: number;
  /** Of one writer: a process that took over a pid has another. */
  writer: string;
  seq: number;
  open: boolean;
}

/** This machine's name as it stands in the names of spool files. */
export function spoolHost(): string {
  return hostname().replace(/[^A-Za-z0-9._-]/g, '_') || 'host';
}

/** Names of one writer's files, in order and without the open suffix: `<host>-<pid>-<random8>-<seq>.ndjson`. */
export function spoolFileNames(): () => string {
  const writer = `${spoolHost()}-${process.pid}-${randomBytes(4).toString('hex')}`;
  let seq = 0;
  return () => {
    seq += 1;
    return `${writer}-${String(seq).padStart(6, '0')}.ndjson`;
  };
}

/** Null for a file that no writer of this project named. */
export function parseSpoolFileName(name: string): SpoolFileName | null {
  const match = /^(.+)-(\d+)-([0-9a-f]{8})-(\d+)\.ndjson(\.open)?$/.exec(name);
  if (!match) return null;
  const [, host = '', pid, writer = '', seq, open] = match;
  return { host, pid: Number(pid), writer, seq: Number(seq), open: open !== undefined };
}
