/** A turn under way: whoever asked before it began is let through at its end. */
interface Turn {
  done(): void;
}

/**
 * Lets those who ask pass after the next turn that begins: one turn at a time serves all who came before it. They are
 * told apart by when they came, so that who wrote something before asking is never answered from a turn begun earlier.
 */
export class Turnstile {
  #waiting: (() => void)[] = [];
  #wake: (() => void) | null = null;

  /** Resolves at the end of the next turn, or after `most_ms`. */
  pass(most_ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, most_ms);
      this.#waiting.push(() => {
        clearTimeout(timer);
        resolve();
      });
      this.knock();
    });
  }

  /** Begins a turn. */
  open(): Turn {
    const served = this.#waiting;
    this.#waiting = [];
    return {
      done: () => {
        for (const pass of served) pass();
      },
    };
  }

  /** Lets everybody through. */
  openAll(): void {
    this.open().done();
  }

  /** Ends a wait of `knocked`. */
  knock(): void {
    this.#wake?.();
  }

  /** Resolves when somebody waits, or after `ms`. */
  async knocked(ms: number): Promise<void> {
    if (this.#waiting.length > 0) return;
    await this.#pause(ms);
  }

  /** Resolves after `ms` or when `signal` aborts and somebody knocks, letting through at once who comes meanwhile. */
  async paused(ms: number, signal: AbortSignal): Promise<void> {
    if (!signal.aborted) await this.#pause(ms);
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const finish = () => {
        clearTimeout(timer);
        this.#wake = null;
        resolve();
      };
      const timer = setTimeout(finish, ms);
      this.#wake = finish;
    });
  }
}
