import { resolve } from 'node:path';
import { bucketSpool } from './spool-bucket';
import { directorySpool } from './spool-directory';
import { type Warn, warnOnce } from './warn';

/** Where captures are kept that the server did not take: a directory or a bucket. One loader reads both. */
export interface Spool {
  /** The directory or the URL, as people name it. */
  readonly where: string;
  /**
   * Keeps one capture. Resolves once it is safe on the disk or in the bucket, with the file that holds it by the name
   * that it has once it is sealed; rejects when it could not be kept or when the signal says so. A capture given up by
   * its signal may still land: it carries its capture_id, so the loader counts it once.
   */
  append(line: string, signal?: AbortSignal): Promise<{ file: string }>;
  /** Keeps a payload over the size rule under its hash. */
  put_blob(sha256: string, bytes: Uint8Array, signal?: AbortSignal): Promise<void>;
  /** Hands what was kept so far to the loader. */
  seal(signal?: AbortSignal): Promise<void>;
  /** Keeps lines while the process exits, when nothing can be awaited; a spool over the network has no such way. */
  append_at_exit?(lines: readonly string[]): void;
}

export interface SpoolOptions {
  /** A directory, or `s3://bucket/prefix`. */
  where: string;
  /** Of a bucket: DLO_S3_ENDPOINT, AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY. Default: the process's own. */
  environment?: Record<string, string | undefined>;
  /** The most that the directory may hold, sealed files and payloads too. Default 1 GB. */
  max_bytes?: number;
  /** A file is sealed when it is this old. Default 60,000; a loader takes an untouched file from 5 minutes on. */
  max_age_ms?: number;
  /** Told once when the spool is opened and is not fit to be one. Default: a line to stderr. */
  warn?: Warn;
}

/** A module can be loaded twice in one process, and a directory must have one writer in it. */
const OPENED = Symbol.for('dead-letter-office.spools');

/** The spool of this place: one for a process, whoever asks; the options of the first to ask hold. Never throws. */
export function openSpool(options: SpoolOptions): Spool {
  const places = globalThis as { [OPENED]?: Map<string, Spool> };
  places[OPENED] ??= atExit(new Map());
  const is_bucket = options.where.startsWith('s3://');
  const where = is_bucket ? options.where.replace(/\/+$/, '') : resolve(options.where);
  const known = places[OPENED].get(where);
  if (known) return known;
  const warn = (text: string) => warnOnce(`spool ${where}`, text, options.warn);
  const made = is_bucket
    ? bucketSpool(where, options.environment ?? process.env, warn)
    : directorySpool(where, { ...options, warn });
  places[OPENED].set(where, made);
  return made;
}

/** Every spool that this process has opened by its place. */
export function openedSpools(): Spool[] {
  return [...((globalThis as { [OPENED]?: Map<string, Spool> })[OPENED]?.values() ?? [])];
}

/** What could not be awaited is written, and what is whole is sealed, in the last moment that a process has. */
function atExit(spools: Map<string, Spool>): Map<string, Spool> {
  process.once('exit', () => {
    for (const spool of spools.values()) {
      try {
        spool.append_at_exit?.([]);
      } catch (error) {
        process.stderr.write(`dead-letter-office: ${String(error)}\n`);
      }
    }
  });
  return spools;
}

/** The spool that a capture's options name: their own, else the first of DLO_SPOOL_DIR; undefined where there is none. */
export function spoolOf(spool: string | Spool | false | undefined, warn?: Warn): Spool | undefined {
  if (spool === false) return undefined;
  if (typeof spool === 'object') return spool;
  const where = spool || firstSpool(process.env.DLO_SPOOL_DIR);
  return where ? openSpool({ where, warn }) : undefined;
}

/** The variable is a list for the loader, parted by commas: a writer takes the first, so that both can share one setting. */
const firstSpool = (list = ''): string | undefined =>
  list
    .split(',')
    .map((address) => address.trim())
    .find(Boolean);
