import { expect, test } from 'vitest';
import type { Producer } from '@/lib/contract/token';
import { checkCaptureRate, countCaptures } from '@/lib/tokens/capture-rate';

const producer = (token_id: string, captures_per_s: number | null): Producer => ({
  token_id,
  name: 'tiles',
  queue: null,
  task_names: null,
  captures_per_s,
});

test('a producer may send ten seconds’ worth at once, then waits as long as what it owes takes', () => {
  const five = producer('rate-1', 5);
  checkCaptureRate(five, 0);
  countCaptures(five, 49, 0);
  checkCaptureRate(five, 0);
  countCaptures(five, 11, 0);
  expect(() => checkCaptureRate(five, 0)).toThrow(
    expect.objectContaining({
      code: 'rate_limited',
      message: expect.stringContaining('tiles may send 5 captures a second'),
      details: { retry_after_s: 11 / 5 },
    }),
  );
  expect(() => checkCaptureRate(five, 1_900)).toThrow(/Retry-After/);
  checkCaptureRate(five, 2_100);
  // another token is not held up, and idling saves up no more than the burst
  checkCaptureRate(producer('rate-2', 5), 0);
  countCaptures(five, 51, 3_600_000);
  expect(() => checkCaptureRate(five, 3_600_000)).toThrow(/Retry-After/);
});

test('a producer without a rate is never held up', () => {
  const any = producer('rate-3', null);
  countCaptures(any, 1_000_000, 0);
  checkCaptureRate(any, 0);
});
