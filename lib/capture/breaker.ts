const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 60_000;

/**
 * Keeps a thousand captures from waiting one after the other for a server that does not answer: after a failure nobody
 * asks for a while that doubles, then one capture tries and tells the others.
 */
export class Breaker {
  #closed_until = 0;
  #pause_ms = FIRST_PAUSE_MS;
  #is_troubled = false;
  #probing = false;

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** `yes`: as ever. `once`: this caller is the one that tries, and must tell what came of it. `no`: not now. */
  mayAsk(): 'yes' | 'once' | 'no' {
    if (!this.#is_troubled) return 'yes';
    if (this.#probing || this.now() < this.#closed_until) return 'no';
    this.#probing = true;
    return 'once';
  }

  answered(): void {
    this.#is_troubled = false;
    this.#probing = false;
    this.#pause_ms = FIRST_PAUSE_MS;
  }

  /** @param retry_after_ms as the server asked for, where it did. */
  failed(retry_after_ms = 0): void {
    // Those that were under way when it failed for the first one say nothing new.
    const is_news = !this.#is_troubled || this.#probing;
    if (is_news) {
      this.#closed_until = this.now() + Math.max(this.#pause_ms, retry_after_ms);
      this.#pause_ms = Math.min(this.#pause_ms * 2, LONGEST_PAUSE_MS);
    }
    this.#is_troubled = true;
    this.#probing = false;
  }
}
