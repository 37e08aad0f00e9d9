import { describe, expect, test } from 'vitest';
import { Breaker } from '@/lib/capture/breaker';

describe('what keeps captures from waiting for a server that does not answer', () => {
  test('lets all ask until one fails, then one after a pause that doubles up to a minute', () => {
    let now = 0;
    const breaker = new Breaker(() => now);
    const pauses: number[] = [];
    breaker.failed();
    for (let i = 0; i < 9; i += 1) {
      const before = now;
      while (breaker.mayAsk() === 'no') now += 500;
      pauses.push(now - before);
      expect(breaker.mayAsk()).toBe('no');
      breaker.failed();
    }
    expect(pauses).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000]);
  });

  test('lets all ask again once the one that tried had an answer, and begins with a short pause', () => {
    let now = 0;
    const breaker = new Breaker(() => now);
    breaker.failed();
    now = 1000;
    expect(breaker.mayAsk()).toBe('once');
    breaker.answered();
    expect([breaker.mayAsk(), breaker.mayAsk()]).toEqual(['yes', 'yes']);
    breaker.failed();
    now = 2000;
    expect(breaker.mayAsk()).toBe('once');
  });

  test('waits as long as the server asks for, and counts those that fail together as one failure', () => {
    let now = 0;
    const breaker = new Breaker(() => now);
    for (let i = 0; i < 50; i += 1) breaker.failed(i === 0 ? 5000 : 0);
    now = 4999;
    expect(breaker.mayAsk()).toBe('no');
    now = 5000;
    expect(breaker.mayAsk()).toBe('once');
  });
});
