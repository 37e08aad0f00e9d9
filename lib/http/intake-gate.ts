import { getConfig } from '@/lib/config';
import { DlqError } from '@/lib/contract/error';

/** The place of one request among those in work. */
export interface Place {
  /** This request holds so many bytes now. @throws DlqError rate_limited where all together would hold too many. */
  hold(bytes: number): void;
  /** The place is kept when the handler returns, until the function that this gives is called: for streamed answers. */
  keep(): () => void;
}

/** For requests that pass no gate. */
export const UNBOUNDED: Place = { hold: () => {}, keep: () => () => {} };

interface Limits {
  concurrency: number;
  max_held_bytes: number;
  wait_ms: number;
}

/** Long enough for a place that is about to be free, short enough that a client does better to come back. */
const WAIT_MS = 1_000;

const key = Symbol.for('dead-letter-office.intake-gate');
const shared = globalThis as { [key]?: IntakeGate };

/** The gate of this process: Next loads each route as a module of its own, and all of them share one machine. */
export function getIntakeGate(): IntakeGate {
  const { concurrency, max_held_bytes } = getConfig().intake;
  shared[key] ??= new IntakeGate({ concurrency, max_held_bytes, wait_ms: WAIT_MS });
  return shared[key];
}

/**
 * Bounds what is in work at once, in requests and in bytes held. As many requests again may wait, briefly and in
 * their order; whoever comes then is told at once to come back, and its body is not read.
 */
export class IntakeGate {
  private in_work = 0;
  private held = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly limits: Limits) {}

  /**
   * Runs `work` in a place.
   * @throws DlqError rate_limited where no place gets free.
   */
  async pass<T>(work: (place: Place) => Promise<T>): Promise<T> {
    await this.enter();
    let mine = 0;
    let kept = false;
    let left = false;
    const leave = () => {
      if (left) return;
      left = true;
      this.held -= mine;
      mine = 0;
      this.leave();
    };
    const place: Place = {
      hold: (bytes) => {
        if (left) return;
        // One alone may hold anything that its route takes: it must not be refused for ever.
        if (bytes > mine && this.held > mine && this.held - mine + bytes > this.limits.max_held_bytes)
          throw this.full('bytes');
        this.held += bytes - mine;
        mine = bytes;
      },
      keep: () => {
        kept = true;
        return leave;
      },
    };
    try {
      return await work(place);
    } catch (error) {
      kept = false;
      throw error;
    } finally {
      if (!kept) leave();
    }
  }

  private async enter(): Promise<void> {
    const { concurrency, wait_ms } = this.limits;
    if (this.in_work < concurrency) {
      this.in_work += 1;
      return;
    }
    if (this.waiting.length >= concurrency) throw this.full('requests');
    await new Promise<void>((resolve, reject) => {
      const called = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        this.waiting.splice(this.waiting.indexOf(called), 1);
        reject(this.full('requests'));
      }, wait_ms);
      this.waiting.push(called);
    });
  }

  /** The place goes to the next in line, so that nobody who comes now can overtake it. */
  private leave(): void {
    const next = this.waiting.shift();
    if (next) next();
    else this.in_work -= 1;
  }

  private full(what: 'requests' | 'bytes'): DlqError {
    const { concurrency, max_held_bytes } = this.limits;
    const limit =
      what === 'requests'
        ? `${concurrency} requests are in work and as many wait (DLO_INTAKE_CONCURRENCY)`
        : `bodies of ${max_held_bytes} bytes are in work (DLO_INTAKE_BYTES)`;
    return new DlqError('rate_limited', `too much comes in at once: ${limit}; send it again after Retry-After`);
  }
}
