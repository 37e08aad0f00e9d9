import type { RejectedLine } from './rejected-line';

/** A file of a source as its listing shows it. */
export interface SpoolFile {
  name: string;
  size_bytes: number;
  /** ISO 8601. */
  modified_at: string;
}

/** A place that holds spool files: a folder, or a prefix of a bucket. Files named to it come from its own listing. */
export interface SpoolSource {
  kind: 'directory' | 'bucket';
  /** How the database calls it: the absolute folder, or s3://bucket/prefix. */
  url: string;
  /** True: a loaded file is moved away, so that one of its name is another file. Else it stays and may grow. */
  moves_loaded?: boolean;
  /** What can be read now, oldest name first. */
  list(): Promise<SpoolFile[]>;
  /** The file's bytes from `offset` on. */
  read(name: string, offset: number): AsyncIterable<Uint8Array>;
  /** Of the file's first `bytes` bytes, cheap; null where the file is shorter than that. */
  fingerprint(name: string, bytes: number): Promise<string | null>;
  /** Keeps lines beside the source, durable when it resolves; a line that is there already is not written twice. */
  reject(name: string, lines: readonly RejectedLine[]): Promise<void>;
  /** Where `reject` keeps the lines of this file. */
  sideFile(name: string): string;
  /** Called when everything of the file is stored; may be called again for the same file. */
  retire(name: string): Promise<void>;
  /** A payload that lies beside the lines, null where there is none of this hash. */
  readBlob(sha256: string): Promise<AsyncIterable<Uint8Array> | null>;
  /** The hashes of the payloads that have lain here since before `before`. */
  listBlobs?(before: Date): Promise<string[]>;
  /** Called when the blob store has it. */
  releaseBlob(sha256: string): Promise<void>;
  /** Called for one whose bytes are others than its hash says: it is kept where writers do not count it. */
  rejectBlob(sha256: string): Promise<void>;
  /** Makes files readable whose writers are gone. */
  seal?(now: Date): Promise<void>;
  /** Removes what was retired before `before`, but for `keep`; answers their names. */
  prune?(before: Date, keep: ReadonlySet<string>): Promise<string[]>;
  /** The files whose rejected lines are kept beside the source, and got no line more since `before`. */
  listSideFiles?(before: Date): Promise<string[]>;
  removeSideFile?(name: string): Promise<void>;
}
