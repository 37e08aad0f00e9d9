import { parentPort, workerData } from 'node:worker_threads';
import { TriageIndex } from '@/lib/index/triage-index';
import { loggableError } from '@/lib/loggable-error';
import { answer } from './answer';
import { connectToFollow } from './connect';
import { Desk } from './desk';
import { Follower } from './follower';
import type { FromThread, ThreadStatus, ToThread } from './messages';

/** The thread that holds the triage index. Everything about it comes and goes by messages. */
const port = parentPort;
if (!port) throw new Error('this file is the start of a thread');
const post = (message: FromThread) => port.postMessage(message);
const { database_url, idle_ms } = workerData as { database_url: string; idle_ms?: number };

const follower = new Follower({
  connect: () => connectToFollow(database_url),
  make: () => new TriageIndex(),
  changed: () => post({ kind: 'status', status: status() }),
  log: (level, fields, message) => post({ kind: 'log', level, fields, message }),
  describe: loggableError,
  ...(idle_ms === undefined ? {} : { idle_ms }),
});
const desk = new Desk(follower, answer, post);

port.on('message', (message: ToThread) => {
  if (message.kind === 'ask') desk.take(message);
  else if (message.kind === 'cancel') desk.cancel(message.id);
  else post({ kind: 'status', status: status() });
});

follower.run().catch((error: unknown) => {
  post({ kind: 'off', reason: error instanceof Error ? error.message.slice(0, 200) : 'unknown' });
});

function status(): ThreadStatus {
  const { copy, moment, away, revision, behind_s, loaded, followed, load_s, rebuilds } = follower;
  return {
    ready: copy !== null,
    away,
    revision,
    as_of: moment?.as_of ?? null,
    behind_s,
    loaded,
    followed,
    load_s,
    rebuilds,
    memory: copy?.memory() ?? null,
    heap_bytes: process.memoryUsage().heapUsed,
  };
}
