import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { bundled } from '@/test/support/bundled';

const root = path.join(import.meta.dirname, '../../..');

export interface Message {
  kind: string;
  [field: string]: unknown;
}

/** A process that a test kills, freezes and starts again. It talks by messages `{kind, …}`. */
export interface Victim {
  /** Starts it where it does not run; resolves when it has said `{kind: 'ready'}`. */
  start: () => Promise<void>;
  /** SIGKILL; resolves when it is gone. */
  kill: () => Promise<void>;
  /** SIGSTOP and SIGCONT. A frozen process can be killed. */
  freeze: () => void;
  thaw: () => void;
  running: () => boolean;
  tell: (message: Message) => void;
  /** Answers the way to stop listening. */
  on_message: (listener: (message: Message) => void) => () => void;
}

export interface VictimOptions {
  /** A TypeScript file below the root of the project. */
  script: string;
  environment?: Record<string, string>;
  /** Put before node, e.g. strace with its arguments. */
  wrapper?: readonly string[];
}

export function makeVictim({ script, environment = {}, wrapper = [] }: VictimOptions): Victim {
  const listeners = new Set<(message: Message) => void>();
  let child: ChildProcess | null = null;
  let program: string | null = null;
  let first: Promise<void> | null = null;
  let ready: Promise<void> = Promise.resolve();

  function start(): Promise<void> {
    if (child === null && program !== null) ready = launch(program);
    else if (child === null) {
      first ??= bundled(script).then((made) => {
        program = made;
        return launch(made);
      });
      ready = first;
    }
    return ready;
  }

  function launch(program: string): Promise<void> {
    const words = [...wrapper, process.execPath, '--enable-source-maps', program];
    const started = spawn(words[0] as string, words.slice(1), {
      cwd: root,
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      detached: true,
    });
    child = started;
    return new Promise((resolve, reject) => {
      started.on('message', (message: Message) => {
        if (message.kind === 'ready') resolve();
        for (const listener of listeners) listener(message);
      });
      started.once('error', reject);
      started.once('exit', (code, signal) => {
        if (child === started) child = null;
        // killed again before it was ready: whoever needs it starts it anew
        if (signal === 'SIGKILL') resolve();
        else reject(new Error(`${script} ended (${signal ?? code}) before it was ready`));
      });
    });
  }

  const signal = (name: NodeJS.Signals) => {
    if (child?.pid !== undefined) process.kill(-child.pid, name);
  };
  return {
    start,
    running: () => child !== null,
    async kill() {
      const dying = child;
      if (!dying) return;
      const gone = dying.exitCode !== null || dying.signalCode !== null ? null : once(dying, 'exit');
      signal('SIGKILL');
      await gone;
      child = null;
    },
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    tell: (message) => child?.send(message, () => {}),
    on_message(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
