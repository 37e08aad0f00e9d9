import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { Moment } from '@/db/queries/begin-snapshot';
import { type Copy, catchUp, load } from './index-copy';
import { Turnstile } from './turnstile';

/** Between two looks at the feed when nobody asks. */
const IDLE_MS = 500;
/** The wait after a failure, doubled up to the longest: so long a database that is back is not seen. */
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 1_000;
const END_MS = 1_000;
/** Changes are kept an hour; what could not be read for so long may be gone. */
export const LONGEST_GAP_US = 50 * 60 * 1_000_000;

export interface FollowerOptions<C extends Copy> {
  connect: () => Promise<pg.Client>;
  /** Makes an empty copy. */
  make: () => C;
  /** Called whenever it becomes ready, is away or is back. */
  changed: () => void;
  log: (level: 'info' | 'warn' | 'error', fields: Record<string, unknown>, message: string) => void;
  describe: (error: unknown) => Record<string, unknown>;
  idle_ms?: number;
}

/**
 * Keeps a copy of dlq.state in step with the feed. The place in the feed is a snapshot in memory: nothing is left behind
 * in the database by a process that ends, and a change that commits late is seen all the same.
 */
export class Follower<C extends Copy> {
  /** What may be asked; null until the first loading is done, and while it is done anew. */
  copy: C | null = null;
  moment: Moment | null = null;
  away = false;
  loaded = 0;
  followed = 0;
  load_s: number | null = null;
  rebuilds = 0;
  #options: FollowerOptions<C>;
  #epoch = randomBytes(6).toString('base64url');
  #revision = 0;
  #read_at = performance.now();
  #turnstile = new Turnstile();
  #stopping = new AbortController();
  #client: pg.Client | null = null;

  constructor(options: FollowerOptions<C>) {
    this.#options = options;
  }

  /** Another text whenever the copy holds something else. */
  get revision(): string {
    return `${this.#epoch}.${this.#revision}`;
  }

  /** Seconds since the last complete reading of the feed began. */
  get behind_s(): number {
    return (performance.now() - this.#read_at) / 1000;
  }

  /**
   * Resolves once a reading of the feed that begins after this call has ended: what was committed before is in the copy
   * then. Or after `most_ms`, and at once while the database is away.
   */
  async caughtUp(most_ms: number): Promise<void> {
    if (!this.away) await this.#turnstile.pass(most_ms);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#turnstile.knock();
    if (this.#client) await ended(this.#client);
  }

  /** Follows until stopped. @throws what the copy throws as RangeError: it cannot hold what the database has. */
  async run(): Promise<void> {
    for (let failures = 0; !this.#stopping.signal.aborted; ) {
      try {
        const client = await this.#options.connect();
        this.#client = client;
        try {
          for (;;) {
            if (!this.moment) await this.#load(client);
            if (!(await this.#follow(client))) continue;
            if (this.away) this.#options.log('info', {}, 'the triage index follows the feed again');
            this.#isAway(false);
            failures = 0;
            if (this.#stopping.signal.aborted) return;
            await this.#turnstile.knocked(this.#options.idle_ms ?? IDLE_MS);
          }
        } finally {
          this.#client = null;
          await ended(client);
        }
      } catch (error) {
        if (this.#stopping.signal.aborted) return;
        if (error instanceof RangeError) throw error;
        failures += 1;
        if (!this.away)
          this.#options.log(
            'warn',
            { error: this.#options.describe(error) },
            'the triage index cannot read the database',
          );
        this.#isAway(true);
        await this.#turnstile.paused(Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** failures), this.#stopping.signal);
      }
    }
  }

  async #load(client: pg.Client): Promise<void> {
    const started = performance.now();
    if (this.load_s !== null) this.rebuilds += 1;
    this.loaded = 0;
    const copy = this.#options.make();
    const moment = await load(client, copy, (rows) => {
      this.loaded += rows;
    });
    this.#read_at = started;
    this.load_s = (performance.now() - started) / 1000;
    this.#revision += 1;
    [this.copy, this.moment] = [copy, moment];
    const seconds = Math.round(this.load_s * 10) / 10;
    this.#options.log('info', { entries: this.loaded, seconds }, 'the triage index is loaded');
    this.#options.changed();
  }

  /** Answers false where the copy had to be given up, since changes may be gone. */
  async #follow(client: pg.Client): Promise<boolean> {
    const turn = this.#turnstile.open();
    const began = performance.now();
    try {
      const { copy, moment } = this;
      if (!copy || !moment) throw new Error('followed before it was loaded');
      const later = await catchUp(client, copy, moment, (rows) => {
        this.followed += rows;
        if (rows > 0) this.#revision += 1;
      });
      if (hasGap(moment, later)) {
        this.#options.log('warn', {}, 'the triage index is too far behind the feed and is loaded anew');
        this.#forget();
        return false;
      }
      this.moment = later;
      this.#read_at = began;
      return true;
    } catch (error) {
      // neither of the database nor of the way there: the copy may be half changed
      if (!isOfDatabase(error)) this.#forget();
      throw error;
    } finally {
      turn.done();
    }
  }

  #forget(): void {
    const had = this.copy !== null;
    [this.copy, this.moment] = [null, null];
    if (had) this.#options.changed();
  }

  #isAway(away: boolean): void {
    const changed = this.away !== away;
    this.away = away;
    if (away) this.#turnstile.openAll();
    if (changed) this.#options.changed();
  }
}

/** Whether changes between two moments can have been pruned, or the later one is of an older state of the database (a restored backup). */
export function hasGap(moment: Moment, later: Moment): boolean {
  return later.as_of_us - moment.as_of_us > LONGEST_GAP_US || xmaxOf(later.snapshot) < xmaxOf(moment.snapshot);
}

/** `xmin:xmax:xip,…`: the first transaction that had not begun. */
function xmaxOf(snapshot: string): bigint {
  return BigInt(snapshot.split(':')[1] ?? '0');
}

function isOfDatabase(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return true;
  // what the driver and the network say has a code, or is the driver's own text
  return error instanceof Error && ('code' in error || /connection|timeout|terminat/i.test(error.message));
}

/** Ends a connection, a dead one too, which never says that it has ended. */
async function ended(client: pg.Client): Promise<void> {
  await Promise.race([client.end().catch(() => {}), new Promise((resolve) => setTimeout(resolve, END_MS).unref())]);
}
