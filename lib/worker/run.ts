import { getDb } from '@/db/client';
import { pruneFeed } from '@/db/queries/prune-feed';
import { diagnoseBatch } from '@/lib/diagnose/diagnose-batch';
import { followIntoSeedTables } from '@/lib/ingest/write-back';
import { type LoopWork, runLoop } from './loop';

/** The background work of one worker process; any number of workers may run against one database. */
export function startWorker(): { stop(): Promise<void> } {
  const db = getDb();
  const stopping = new AbortController();
  const works: LoopWork[] = [
    { name: 'diagnose', idle_ms: 500, run: () => diagnoseBatch(db) },
    { name: 'write back', idle_ms: 1000, run: () => followIntoSeedTables(db) },
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
