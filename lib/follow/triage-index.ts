import { Worker } from 'node:worker_threads';
import { getLog } from '@/lib/log';
import { loggableError } from '@/lib/loggable-error';
import { Durations } from './durations';
import { Kept } from './kept';
import type { Answered, FromThread, ThreadStatus, ToThread, Verb, Verbs } from './messages';

/** The thread's own JavaScript objects: its columns lie beside them. Over it the thread ends, and not the process. */
const HEAP_MB = 512;
const YOUNG_MB = 16;
/** The wait before a thread that ended is started anew, doubled up to the longest. */
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;
/** After so long without an end the next one is a first one again. */
const SOUND_MS = 300_000;
const LOOK_MS = 2_000;
const END_MS = 2_000;
const MOST_SETS = 16;
/** 32 MB. */
const MOST_SET_IDS = 8_000_000;

export type IndexState = 'loading' | 'ready' | 'off';

interface Asker {
  resolve: (answer: Answered<Verb> | null) => void;
  verb: Verb;
  began: number;
}

export interface TriageIndexOptions {
  database_url: string;
  /** Milliseconds between two looks at the feed when nobody asks. */
  idle_ms?: number;
  first_wait_ms?: number;
}

/** The triage index as the rest of the process sees it: a thread that is asked, and started anew where it ends. */
export class TriageIndexThread {
  /** Why there is no index any more; null while there is one or will be. */
  off: string | null = null;
  restarts = 0;
  readonly durations = new Durations();
  /** Sets of entries that SQL found for conditions that it alone answers: those of a page are asked for by each of its tiles. */
  readonly found = new Kept<{ ids: Uint32Array; capped: boolean; size: number }>(MOST_SETS, MOST_SET_IDS);
  #options: TriageIndexOptions;
  #worker: Worker | null = null;
  #ready = false;
  #last_id = 0;
  #askers = new Map<number, Asker>();
  #looks: ((status: ThreadStatus | null) => void)[] = [];
  #failures = 0;
  #restart: NodeJS.Timeout | null = null;
  #stopped = false;
  #changes = new Set<() => void>();

  constructor(options: TriageIndexOptions) {
    this.#options = options;
    this.#start();
  }

  get state(): IndexState {
    if (this.off !== null || this.#stopped) return 'off';
    return this.#ready ? 'ready' : 'loading';
  }

  /**
   * The index's answer, with everything that was committed before the call; null where there is none and SQL has to
   * answer. Aborting `signal` tells that nobody waits any more: the answer is then null, too.
   */
  ask<V extends Verb>(verb: V, ask: Verbs[V]['ask'], signal?: AbortSignal): Promise<Answered<V> | null> {
    const worker = this.#worker;
    if (!worker || !this.#ready || signal?.aborted) return Promise.resolve(null);
    this.#last_id += 1;
    const id = this.#last_id;
    const asked = new Promise<Answered<Verb> | null>((resolve) => {
      this.#askers.set(id, { resolve, verb, began: performance.now() });
    });
    worker.postMessage({ kind: 'ask', id, verb, ask } satisfies ToThread);
    const cancel = () => {
      if (!this.#askers.has(id)) return;
      worker.postMessage({ kind: 'cancel', id } satisfies ToThread);
      this.#settle(id, null);
    };
    signal?.addEventListener('abort', cancel, { once: true });
    return asked.finally(() => signal?.removeEventListener('abort', cancel)) as Promise<Answered<V> | null>;
  }

  /** How the thread is; null where there is none, or it does not say within two seconds. */
  look(): Promise<ThreadStatus | null> {
    const worker = this.#worker;
    if (!worker) return Promise.resolve(null);
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(null), LOOK_MS);
      this.#looks.push((status) => {
        clearTimeout(timer);
        resolve(status);
      });
      worker.postMessage({ kind: 'look' } satisfies ToThread);
    });
  }

  /** Resolves when it is ready or off. */
  async settled(): Promise<void> {
    while (this.state === 'loading')
      await new Promise<void>((resolve) => {
        const changed = () => {
          this.#changes.delete(changed);
          resolve();
        };
        this.#changes.add(changed);
      });
  }

  /** Ends the thread as a fault would: for tests. */
  async crash(): Promise<void> {
    await this.#worker?.terminate();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    if (this.#restart) clearTimeout(this.#restart);
    // a thread that cannot be ended ends with the process
    await Promise.race([this.#worker?.terminate(), new Promise((resolve) => setTimeout(resolve, END_MS).unref())]);
    this.#changed();
  }

  #start(): void {
    const { database_url, idle_ms } = this.#options;
    const started = performance.now();
    const worker = new Worker(threadFile(), {
      name: 'triage index',
      workerData: { database_url, ...(idle_ms === undefined ? {} : { idle_ms }) },
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: YOUNG_MB },
      execArgv: [],
    });
    this.#worker = worker;
    worker.on('message', (message: FromThread) => this.#receive(message));
    worker.on('error', (error) => {
      if ('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY')
        this.#turnOff('it takes more memory than it may');
      else getLog().error({ error: loggableError(error) }, 'the triage index failed');
    });
    worker.on('exit', () => {
      if (performance.now() - started > SOUND_MS) this.#failures = 0;
      this.#ended();
    });
    // the server keeps the process alive, not its index
    worker.unref();
  }

  #receive(message: FromThread): void {
    if (message.kind === 'answer') this.#settle(message.id, message.answer);
    else if (message.kind === 'log') getLog()[message.level](message.fields, message.message);
    else if (message.kind === 'failed') {
      if (message.error) getLog().error({ error: message.error }, 'the triage index could not answer; SQL does');
      this.#settle(message.id, null);
    } else if (message.kind === 'status') {
      this.#ready = message.status.ready;
      for (const look of this.#looks.splice(0)) look(message.status);
      this.#changed();
    } else {
      this.#turnOff(message.reason);
      void this.#worker?.terminate();
    }
  }

  #settle(id: number, answer: Answered<Verb> | null): void {
    const asker = this.#askers.get(id);
    if (!asker) return;
    this.#askers.delete(id);
    if (answer) this.durations.note(asker.verb, performance.now() - asker.began);
    asker.resolve(answer);
  }

  #turnOff(reason: string): void {
    if (this.off !== null) return;
    this.off = reason;
    getLog().error({ reason }, 'there is no triage index any more: the database answers, more slowly');
  }

  #ended(): void {
    this.#worker = null;
    this.#ready = false;
    for (const id of [...this.#askers.keys()]) this.#settle(id, null);
    for (const look of this.#looks.splice(0)) look(null);
    if (!this.#stopped && this.off === null) {
      const wait_ms = Math.min(LONGEST_WAIT_MS, (this.#options.first_wait_ms ?? FIRST_WAIT_MS) * 2 ** this.#failures);
      this.#failures += 1;
      this.restarts += 1;
      getLog().warn({ wait_ms }, 'the thread of the triage index has ended and is started anew');
      this.#restart = setTimeout(() => this.#start(), wait_ms);
      this.#restart.unref();
    }
    this.#changed();
  }

  #changed(): void {
    for (const changed of [...this.#changes]) changed();
  }
}

const key = Symbol.for('dead-letter-office.triage-index');
const shared = globalThis as { [key]?: TriageIndexThread };

/** Starts the index of this process; there is one. */
export function startTriageIndex(options: TriageIndexOptions): TriageIndexThread {
  shared[key] ??= new TriageIndexThread(options);
  return shared[key];
}

/** The index of this process, or null where none was started. */
export const getTriageIndex = (): TriageIndexThread | null => shared[key] ?? null;

/** Ends the index of this process. */
export async function stopTriageIndex(): Promise<void> {
  const index = shared[key];
  delete shared[key];
  await index?.stop();
}

/** The thread reads the project's own sources: a bundler that saw the whole path would try to bundle what it loads. */
function threadFile(): string {
  return [process.cwd(), 'lib', 'follow', 'thread.mjs'].join('/');
}
