import { expect, test } from 'vitest';
import { again } from '@/db/again';

const failure = (code: string) => new Error('Failed query', { cause: Object.assign(new Error('x'), { code }) });

function failing(times: number, code: string) {
  let tries = 0;
  const run = async () => {
    tries += 1;
    if (tries <= times) throw failure(code);
    return tries;
  };
  return { run, tried: () => tries };
}

test.each(['40001', '40P01'])('a transaction that was rolled back for another (%s) is run again', async (code) => {
  expect(await again(failing(3, code).run)).toBe(4);
});

test('after five tries it is given up', async () => {
  const always = failing(99, '40P01');
  await expect(again(always.run)).rejects.toThrow('Failed query');
  expect(always.tried()).toBe(5);
});

test.each(['23505', '57P01', ''])('any other failure (%s) is not tried again: it could count twice', async (code) => {
  const once = failing(1, code);
  await expect(again(once.run)).rejects.toThrow();
  expect(once.tried()).toBe(1);
});
