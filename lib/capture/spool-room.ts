import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Other processes write to the directory and the loader empties it: what it holds is looked up again after this. */
const LOOK_AGAIN_MS = 10_000;
const LOOK_AGAIN_WHEN_FULL_MS = 1000;

/** How much a spool directory may still take. What the loader has moved aside does not count. */
export class SpoolRoom {
  #held_bytes = 0;
  #looked_at = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly folder: string,
    private readonly max_bytes: number,
  ) {}

  /** Bytes that fit now; `needed` is only a reason to look again before saying no. */
  async left(needed: number): Promise<number> {
    const left = this.max_bytes - this.#held_bytes;
    const seen_ms = performance.now() - this.#looked_at;
    if (seen_ms > LOOK_AGAIN_MS || (left < needed && seen_ms > LOOK_AGAIN_WHEN_FULL_MS)) {
      this.#held_bytes =
        (await bytesIn(this.folder, /\.ndjson(\.open)?$/)) + (await bytesIn(join(this.folder, 'blobs')));
      this.#looked_at = performance.now();
    }
    return this.max_bytes - this.#held_bytes;
  }

  taken(bytes: number): void {
    this.#held_bytes += bytes;
  }

  full(): Error {
    const held = Math.ceil(this.#held_bytes / 1_000_000);
    return new Error(
      `the spool ${this.folder} is full: it holds ${held} MB of at most ${Math.floor(this.max_bytes / 1_000_000)}; ` +
        'load it with `dlo ingest`, or raise max_bytes',
    );
  }
}

async function bytesIn(folder: string, of = /(?:)/): Promise<number> {
  const names = await readdir(folder).catch(() => []);
  const sizes = await Promise.all(
    names
      .filter((name) => of.test(name))
      .map((name) =>
        stat(join(folder, name)).then(
          (one) => one.size,
          () => 0,
        ),
      ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
