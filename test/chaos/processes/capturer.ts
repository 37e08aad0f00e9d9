import { setTimeout as pause } from 'node:timers/promises';
import { seeded } from '@/db/demo/seeded';
import { deadLetterOnFailure, flush } from '@/lib/capture';
import type { CaptureOptions } from '@/lib/capture/options';
import { plannedFailure } from '@/test/chaos/planned-failure';

/**
 * A pipeline whose tasks all fail: `{kind: 'burst', burst, count}` runs them, four at a time. Says of each what its
 * client acknowledged (`acked`), what it reported as kept nowhere (`lost`) and what was raised instead of the task's
 * own error (`masked`).
 */
const options = (capture_id: string, lost: () => void): CaptureOptions => ({
  url: process.env.CHAOS_URL ?? '',
  spool: process.env.CHAOS_SPOOL ?? '',
  task_name: 'fails',
  code_version: '1.0.0',
  timeout_ms: 1500,
  capture_id: () => capture_id,
  on_capture_error: lost,
  warn: () => {},
});

const say = (message: Record<string, unknown>) => process.send?.(message);

async function fail(burst: number, i: number): Promise<void> {
  const planned = plannedFailure(burst, i);
  const { capture_id, work_key, geometry, params, src_crs, failed_at } = planned;
  const error = new Error(planned.message);
  let lost = false;
  const task = deadLetterOnFailure({
    ...options(capture_id, () => {
      lost = true;
    }),
    payload: () => ({ work_key, geometry, params, src_crs, failed_at }),
  })(async () => {
    throw error;
  });
  try {
    await task();
    say({ kind: 'masked', capture_id });
  } catch (raised) {
    if (raised !== error) say({ kind: 'masked', capture_id });
    say({ kind: lost ? 'lost' : 'acked', capture_id });
  }
}

const running = new Set<Promise<unknown>>();

async function runBurst(burst: number, count: number): Promise<void> {
  let next = 0;
  const work = async () => {
    while (next < count) {
      const i = next;
      next += 1;
      await pause(seeded(burst * 31 + i)() * 15);
      await fail(burst, i);
    }
  };
  await Promise.all([work(), work(), work(), work()]);
}

async function finish(): Promise<void> {
  while (running.size > 0) await Promise.all(running);
  await flush();
  say({ kind: 'idle' });
}

process.on('message', (message: { kind: string; burst?: number; count?: number }) => {
  if (message.kind === 'finish') return void finish();
  const burst = runBurst(message.burst ?? 0, message.count ?? 0).finally(() => running.delete(burst));
  running.add(burst);
});
process.on('disconnect', () => process.exit());
say({ kind: 'ready' });
