import { randomUUID } from 'node:crypto';
import { type Db, getDb } from '@/db/client';
import { pruneFeed } from '@/db/queries/prune-feed';
import { blobSink } from '@/lib/blobs/blob-sink';
import { getConfig } from '@/lib/config';
import { diagnoseBatch } from '@/lib/diagnose/diagnose-batch';
import { followIntoTables } from '@/lib/ingest/write-back';
import { stepOperations } from '@/lib/operations/step-operations';
import { sweep } from '@/lib/redrive/sweep';
import { openSource } from '@/lib/spool/open-source';
import { watchSpools } from '@/lib/spool/watch';
import { type LoopWork, runLoop } from './loop';

/** Operations that one worker process steps at the same time: the rate of one is not held up by another's answers. */
const OPERATION_SLOTS = 3;

/** The background work of one worker process; any number of workers may run against one database. */
export function startWorker(): { stop(): Promise<void> } {
  const db = getDb();
  const stopping = new AbortController();
  const worker = randomUUID();
  const works: LoopWork[] = [
    { name: 'diagnose', idle_ms: 500, run: () => diagnoseBatch(db) },
    ...Array.from({ length: OPERATION_SLOTS }, (_, slot) => ({
      name: 'operations',
      idle_ms: 500,
      run: (signal: AbortSignal) => stepOperations(db, `${worker}/${slot}`, signal),
    })),
    { name: 'sweep', idle_ms: 5000, run: () => sweep({ db, worker }).then((swept) => swept.length) },
    { name: 'write back', idle_ms: 1000, run: () => followIntoTables(db) },
    ...spoolWork(db, worker),
    { name: 'prune the feed', idle_ms: 600_000, run: () => pruneFeed(db).then(() => 0) },
  ];
  const running = works.map((work) => runLoop(work, stopping.signal));
  return {
    async stop() {
      stopping.abort();
      await Promise.all(running);
    },
  };
}

/** The watch over the spools of DLO_SPOOL_DIR, if there are any. */
function spoolWork(db: Db, worker: string): LoopWork[] {
  const { addresses, keep_days } = getConfig().spools;
  if (addresses.length === 0) return [];
  const sources = addresses.map((address) => openSource(address, process.env));
  return [{ name: 'spool', idle_ms: 2000, run: watchSpools({ db, sources, blobs: blobSink(db), worker, keep_days }) }];
}
