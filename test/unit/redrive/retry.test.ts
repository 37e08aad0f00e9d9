import { describe, expect, test } from 'vitest';
import { persist, retryRolledBack } from '@/lib/redrive/retry';

/** Fails so many times with this error, then answers how often it was called. */
function failing(times: number, error: Error): () => Promise<number> {
  let calls = 0;
  return async () => {
    calls += 1;
    if (calls <= times) throw error;
    return calls;
  };
}
const wrapped = (code: string) => new Error('Failed query', { cause: Object.assign(new Error(code), { code }) });

describe('a change that was rolled back for another’s sake', () => {
  test('is made again, though drizzle has wrapped the error', async () => {
    expect(await retryRolledBack(failing(3, wrapped('40P01')))).toBe(4);
    expect(await retryRolledBack(failing(1, wrapped('40001')))).toBe(2);
  });

  test('is given up in the end, and any other error at once', async () => {
    await expect(retryRolledBack(failing(99, wrapped('40P01')))).rejects.toThrow('Failed query');
    await expect(retryRolledBack(failing(1, wrapped('23505')))).rejects.toThrow('Failed query');
  });
});

test('what must not get lost is tried again whatever went wrong', async () => {
  expect(await persist(failing(2, wrapped('57P01')))).toBe(3);
});
