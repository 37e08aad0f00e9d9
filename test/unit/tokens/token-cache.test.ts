import { expect, test } from 'vitest';
import type { StoredToken } from '@/db/queries/get-token';
import { TOKEN_CACHE_MS, TokenCache } from '@/lib/tokens/token-cache';

const stored: StoredToken = {
  name: 'n',
  token_hash: Buffer.alloc(32),
  queue: null,
  task_names: null,
  captures_per_s: null,
  expires_at: null,
  revoked_at: null,
};

function cacheAt() {
  const clock = { now: 0 };
  const loaded: string[] = [];
  const cache = new TokenCache(() => clock.now);
  const get = (id: string) =>
    cache.get(id, async () => {
      loaded.push(id);
      return id === 'none' ? undefined : stored;
    });
  return { cache, clock, loaded, get };
}

test('a token is loaded once in ten seconds, also where many ask at once and where it is none', async () => {
  const { clock, loaded, get } = cacheAt();
  await Promise.all([get('1'), get('1'), get('none'), get('none')]);
  clock.now = TOKEN_CACHE_MS - 1;
  expect(await get('1')).toBe(stored);
  expect(await get('none')).toBeUndefined();
  expect(loaded).toEqual(['1', 'none']);
  clock.now = TOKEN_CACHE_MS;
  await get('1');
  expect(loaded).toEqual(['1', 'none', '1']);
});

test('what could not be loaded is loaded again, and so is what was forgotten', async () => {
  const { cache, loaded, get } = cacheAt();
  await expect(cache.get('1', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
  expect(await get('1')).toBe(stored);
  cache.forget('1');
  await get('1');
  expect(loaded).toEqual(['1', '1']);
});

test('guesses push out the oldest and no more: memory is bounded', async () => {
  const { loaded, get } = cacheAt();
  for (let i = 0; i <= 1000; i++) await get(String(i));
  await get('1000');
  expect(loaded).toHaveLength(1001);
  await get('0');
  expect(loaded).toHaveLength(1002);
});
