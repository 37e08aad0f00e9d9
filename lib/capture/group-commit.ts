import { spoolLine } from './spool-line';

export interface WaitingLine {
  bytes: Buffer;
  signal: AbortSignal | undefined;
  kept(file: string): void;
  lost(reason: Error): void;
}

/** One write of many lines; what waits beyond that is written next. */
const MAX_GROUP_BYTES = 8_000_000;
/** Held in memory while a write is under way; a line over that is lost to this spool at once. */
const MAX_WAITING_BYTES = 64_000_000;
/** A disk that has not answered for this long is not waited for again and again by every capture. */
const STALLED_MS = 5000;

/**
 * The lines that wait while others are written: whoever comes meanwhile shares the next write and its fsync. One thing
 * at a time: `commit` and `exclusive` never overlap.
 */
export class GroupCommit {
  #waiting: WaitingLine[] = [];
  #waiting_bytes = 0;
  #under_way: WaitingLine[] = [];
  #busy_since: number | null = null;
  #turn: Promise<unknown> = Promise.resolve();

  /** @param commit writes the lines and tells each what became of it; what it told nothing is lost with its error. */
  constructor(
    private readonly where: string,
    private readonly commit: (group: readonly WaitingLine[]) => Promise<void>,
  ) {}

  append(capture: string, signal?: AbortSignal): Promise<{ file: string }> {
    return new Promise((resolve, reject) => {
      const give_up = () => reject(new Error(`${this.where} did not answer in time`));
      if (signal?.aborted) return give_up();
      const bytes = spoolLine(capture);
      if (this.#waiting_bytes + bytes.length > MAX_WAITING_BYTES) {
        return reject(new Error(`${this.where} is too slow: ${this.#waiting.length} captures wait for it already`));
      }
      signal?.addEventListener('abort', give_up, { once: true });
      this.#waiting.push({
        bytes,
        signal,
        kept: (file) => {
          signal?.removeEventListener('abort', give_up);
          resolve({ file });
        },
        lost: (reason) => {
          signal?.removeEventListener('abort', give_up);
          reject(reason);
        },
      });
      this.#waiting_bytes += bytes.length;
      // It stays in the queue, so it may still land.
      if (this.stalled) reject(new Error(`${this.where} has not answered for ${STALLED_MS / 1000} s`));
      if (this.#waiting.length === 1) void this.exclusive(() => this.#write());
    });
  }

  /** Runs when nothing else does, after what came before it. */
  exclusive<T>(run: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(run);
    this.#turn = turn.catch(() => {});
    return turn;
  }

  get busy(): boolean {
    return this.#busy_since !== null;
  }

  get stalled(): boolean {
    return this.#busy_since !== null && performance.now() - this.#busy_since > STALLED_MS;
  }

  /** The lines that nothing was told of yet, given out once; they may or may not be on the disk. */
  takeUnfinished(): Buffer[] {
    const lines = [...this.#under_way, ...this.#waiting].map((one) => one.bytes);
    this.#under_way = [];
    this.#waiting = [];
    return lines;
  }

  async #write(): Promise<void> {
    this.#busy_since = performance.now();
    while (this.#waiting.length > 0) {
      this.#under_way = this.#nextGroup();
      this.#busy_since = performance.now();
      let reason = new Error(`${this.where} did not keep the line`);
      try {
        await this.commit(this.#under_way);
      } catch (error) {
        reason = error instanceof Error ? error : new Error(String(error));
      }
      for (const one of this.#under_way) one.lost(reason);
      this.#under_way = [];
    }
    this.#busy_since = null;
  }

  #nextGroup(): WaitingLine[] {
    let bytes = 0;
    let count = 0;
    for (const one of this.#waiting) {
      if (count > 0 && bytes + one.bytes.length > MAX_GROUP_BYTES) break;
      bytes += one.bytes.length;
      count += 1;
    }
    this.#waiting_bytes -= bytes;
    return this.#waiting.splice(0, count);
  }
}
