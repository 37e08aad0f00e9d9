import { CHUNK_LIMITS, type ChunkLimits, readChunks } from './read-chunks';
import type { RejectedLine } from './rejected-line';
import type { SpoolSource } from './spool-source';

export interface Checked {
  name: string;
  lines: number;
  /** Lines that would be stored, as far as reading them tells. */
  good: number;
  rejected: number;
}

/** Reads every file of a source and checks each line, storing and moving nothing; yields a file when it is through. */
export async function* checkSource(
  source: SpoolSource,
  on: { rejected?: (name: string, line: RejectedLine) => void; bytes?: (bytes: number) => void; signal?: AbortSignal },
  limits: ChunkLimits = CHUNK_LIMITS,
): AsyncGenerator<Checked> {
  for (const { name } of await source.list()) {
    const checked: Checked = { name, lines: 0, good: 0, rejected: 0 };
    let done_bytes = 0;
    for await (const chunk of readChunks(source, name, { offset: 0, lines: 0 }, limits)) {
      for (const one of chunk.read) {
        if ('proposal' in one) checked.good += 1;
        else {
          checked.rejected += 1;
          on.rejected?.(name, one.rejected);
        }
      }
      checked.lines += chunk.read.length;
      on.bytes?.(chunk.to.offset - done_bytes);
      done_bytes = chunk.to.offset;
      if (on.signal?.aborted) return;
    }
    yield checked;
  }
}
