import type { SpoolSource } from './spool-source';

/** The place of the files failed, not the database: this file waits, the others go on. */
export class SourceError extends Error {
  override name = 'SourceError';
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

/** Runs what touches a source; its errors come out as SourceError. */
export async function atSource<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new SourceError(error);
  }
}

/** The bytes of a file; an error of reading comes out as SourceError. */
export async function* readAtSource(source: SpoolSource, name: string, offset: number): AsyncGenerator<Uint8Array> {
  const bytes = source.read(name, offset)[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value } = await atSource(() => bytes.next());
      if (done) return;
      yield value;
    }
  } finally {
    await bytes.return?.();
  }
}
