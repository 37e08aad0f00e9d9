import { expect, test } from 'vitest';
import { oneBehind } from '@/lib/ingest/one-behind';

/** Steps that end when they are told to, and what happened in its order. */
function bench(count: number, broken?: Error) {
  const seen: string[] = [];
  const end: (() => void)[] = [];
  async function* source() {
    try {
      for (let i = 0; i < count; i++) {
        seen.push(`read ${i}`);
        yield () => {
          seen.push(`start ${i}`);
          return new Promise<number>((resolve) => {
            end[i] = () => {
              seen.push(`end ${i}`);
              resolve(i);
            };
          });
        };
      }
      if (broken) throw broken;
    } finally {
      seen.push('closed');
    }
  }
  return { seen, end, steps: oneBehind(source()) };
}
const until = async (condition: () => boolean) => {
  while (!condition()) await new Promise(setImmediate);
};

test('the next step is read while one runs, and starts when it has ended', async () => {
  const { seen, end, steps } = bench(3);
  const first = steps.next();
  await until(() => seen.includes('read 1'));
  expect(seen).toEqual(['read 0', 'start 0', 'read 1']);
  end[0]?.();
  expect(await first).toEqual({ done: false, value: 0 });
  const second = steps.next();
  await until(() => seen.includes('read 2'));
  expect(seen).toEqual(['read 0', 'start 0', 'read 1', 'end 0', 'start 1', 'read 2']);
  end[1]?.();
  expect(await second).toEqual({ done: false, value: 1 });
});

test('what breaks the source off is thrown after the step before it was answered', async () => {
  const { seen, end, steps } = bench(1, new Error('broken off'));
  const only = steps.next();
  await until(() => seen.includes('start 0'));
  end[0]?.();
  expect(await only).toEqual({ done: false, value: 0 });
  await expect(steps.next()).rejects.toThrow('broken off');
});

test('a reader that leaves starts nothing more, and the source is closed', async () => {
  const { seen, end, steps } = bench(3);
  const first = steps.next();
  await until(() => seen.includes('read 1'));
  end[0]?.();
  await first;
  await steps.return(undefined);
  expect(seen.at(-1)).toBe('closed');
  expect(seen).not.toContain('start 1');
});
