import { expect, test } from 'vitest';
import type { Db } from '@/db/client';
import { GivenUp } from '@/db/until-given-up';
import { Kept } from '@/lib/follow/kept';
import type { TriageIndexThread } from '@/lib/follow/triage-index';
import { indexQuestion } from '@/lib/triage/index-query';

function deferred<T>() {
  let resolve!: (value: T) => void;
  let reject!: (error: Error) => void;
  const promise = new Promise<T>((done, failed) => {
    [resolve, reject] = [done, failed];
  });
  return { promise, resolve, reject };
}

/** An index at one moment, and a database that answers as it is told, once somebody asks it. */
function world() {
  const index = {
    ask: async () => ({ revision: 'one', as_of: '' }),
    found: new Kept<{ ids: Uint32Array; capped: boolean; size: number }>(4, 100),
  } as unknown as TriageIndexThread;
  const asker = () => {
    const ask = deferred<void>();
    const answer = deferred<{ rows: { ids: Buffer }[] }>();
    const execute = () => {
      ask.resolve();
      return answer.promise;
    };
    const ctx = { db: { execute } as unknown as Db, actor: { name: 'alex', role: 'operator' as const } };
    return { ctx, asked: ask.promise, answer };
  };
  return { index, asker };
}

test('of two who wait for the same set, the second gets it when the first, who had it looked for, goes away', async () => {
  const { index, asker } = world();
  const [first, second] = [asker(), asker()];
  const gone = indexQuestion(first.ctx, index, { q: 'conflict' }).catch((error: unknown) => error);
  await first.asked;
  const waiting = indexQuestion(second.ctx, index, { q: 'conflict' });
  first.answer.reject(new GivenUp());
  expect(await gone).toBeInstanceOf(GivenUp);
  second.answer.resolve({ rows: [{ ids: Buffer.from([0x80, 0, 0, 7]) }] });
  expect([...((await waiting).query.entry_ids ?? [])]).toEqual([7]);
});

test('what the database refuses is told to all who wait, and asked for once', async () => {
  const { index, asker } = world();
  const [first, second] = [asker(), asker()];
  const failures = [first, second].map(({ ctx }) =>
    indexQuestion(ctx, index, { q: 'conflict' }).catch((error: unknown) => String(error)),
  );
  await first.asked;
  first.answer.reject(new Error('refused'));
  expect(await Promise.all(failures)).toEqual(['Error: refused', 'Error: refused']);
});
