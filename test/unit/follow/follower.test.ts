import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Follower } from '@/lib/follow/follower';
import type { Copy } from '@/lib/follow/index-copy';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('a database that was away for long is looked for every second, so that it is seen soon after it is back', async () => {
  let looks = 0;
  const follower = new Follower<Copy>({
    connect: async () => {
      looks += 1;
      throw Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
    },
    make: () => ({ hasCombo: () => true, addCombo: () => {}, put: () => {}, remove: () => {} }),
    changed: () => {},
    log: () => {},
    describe: () => ({}),
  });
  const running = follower.run();
  await vi.advanceTimersByTimeAsync(600_000);
  const before = looks;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(looks - before).toBe(60);
  const stopped = follower.stop();
  await vi.advanceTimersByTimeAsync(2_000);
  await Promise.all([running, stopped]);
});
