import { setTimeout as pause } from 'node:timers/promises';
import { startTriageIndex, stopTriageIndex, type TriageIndexThread } from '@/lib/follow/triage-index';
import { less, type Row } from '../row';

/** Starts the index of this process, and what that took: until ready, the rows' and the process's memory. */
export async function benchStart(
  database_url: string,
  count: number,
): Promise<{ index: TriageIndexThread; rows: Row[] }> {
  await stopTriageIndex();
  global.gc?.();
  const rss_before = process.memoryUsage().rss;
  const started = performance.now();
  const index = startTriageIndex({ database_url });
  // the index's thread does not keep a process alive
  const alive = setInterval(() => {}, 60_000);
  await index.settled().finally(() => clearInterval(alive));
  const ready_s = (performance.now() - started) / 1000;
  if (index.state !== 'ready') throw new Error(`the index is ${index.state}: ${index.off ?? ''}`);
  // what the loading leaves for the collector is not what the index takes
  await pause(2_000);
  const status = await index.look();
  const mib = (bytes: number) => bytes / 2 ** 20;
  return {
    index,
    rows: [
      less('index: ready after', ready_s, 's', null),
      less('index: its columns and dictionaries', mib(status?.memory?.bytes ?? Number.NaN), 'MiB', null),
      less('index: an entry', (status?.memory?.bytes ?? Number.NaN) / count, 'bytes', null),
      less('index: memory of the process more', mib(process.memoryUsage().rss - rss_before), 'MiB', null),
    ],
  };
}
