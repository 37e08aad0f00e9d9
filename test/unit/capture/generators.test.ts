import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type CapturePayload, deadLetterOnFailure, flush } from '@/lib/capture';
import { type CaptureSink, captureSink } from './capture-sink';

let sink: CaptureSink;
beforeEach(async () => {
  sink = await captureSink();
});
afterEach(async () => {
  await flush();
  await sink.close();
});

const wrap = deadLetterOnFailure({
  get url() {
    return sink.url;
  },
  code_version: '1',
  task_name: 'tiles',
  payload: (upto: number): CapturePayload => ({ work_key: `upto/${upto}` }),
});
const boom = Object.freeze(new Error('at the third'));

function* tiles(upto: number): Generator<number, string, number | undefined> {
  let sum = 0;
  for (let i = 0; i < upto; i += 1) {
    if (i === 2) throw boom;
    sum += (yield i) ?? 0;
  }
  return `sum ${sum}`;
}
async function* tilesLater(upto: number): AsyncGenerator<number, string, number | undefined> {
  return yield* tiles(upto);
}
const keys = () => sink.captures.map((one) => one.work_key);

describe('a generator', () => {
  test('that fails while it is iterated is captured once, with its arguments, and raises the same error', async () => {
    const seen: number[] = [];
    const made = wrap(tiles)(5);
    expect(() => {
      for (const tile of made) seen.push(tile);
    }).toThrow(boom);
    expect(seen).toEqual([0, 1]);
    expect(made.next()).toEqual({ done: true, value: undefined });
    await flush();
    expect(keys()).toEqual(['upto/5']);
  });

  test('that ends well, or is left early, did not fail; its steps, its return value and its kind go through', async () => {
    const made = wrap(tiles)(2);
    expect(made).toBeInstanceOf(tiles);
    expect(Object.prototype.toString.call(made)).toBe('[object Generator]');
    expect([made.next(), made.next(5), made.next(6)]).toEqual([
      { done: false, value: 0 },
      { done: false, value: 1 },
      { done: true, value: 'sum 11' },
    ]);
    for (const _ of wrap(tiles)(5)) break;
    expect(wrap(tiles)(5).return('left')).toEqual({ done: true, value: 'left' });
    await flush();
    expect(keys()).toEqual([]);
  });

  test('that lets pass what is thrown into it failed; one that catches it did not', async () => {
    const catching = wrap(function* (_: number) {
      try {
        yield 1;
      } catch {
        yield 2;
      }
    })(1);
    catching.next();
    expect(catching.throw(boom)).toEqual({ done: false, value: 2 });
    const letting = wrap(tiles)(1);
    letting.next();
    expect(() => letting.throw(boom)).toThrow(boom);
    await flush();
    expect(keys()).toEqual(['upto/1']);
  });

  test('that fails in its clean-up when it is left early is captured', async () => {
    const made = wrap(function* (_: number) {
      try {
        yield 1;
      } finally {
        // biome-ignore lint/correctness/noUnsafeFinally: a clean-up that fails is what is tried
        throw boom;
      }
    })(7);
    expect(() => {
      for (const _ of made) break;
    }).toThrow(boom);
    await flush();
    expect(keys()).toEqual(['upto/7']);
  });
});

test('one of another make, which fails at every step, is captured once too', async () => {
  const fail = (): never => {
    throw boom;
  };
  const own = { next: fail, return: fail, throw: fail, [Symbol.iterator]: () => own };
  const made = wrap((_: number) => own)(4);
  for (let i = 0; i < 3; i += 1) expect(() => made.next()).toThrow(boom);
  expect(() => made.return()).toThrow(boom);
  await flush();
  expect(keys()).toEqual(['upto/4']);
});

describe('an async generator', () => {
  test('that fails while it is iterated is captured once before the same error is raised', async () => {
    const seen: number[] = [];
    const made = wrap(tilesLater)(5);
    const reading = async () => {
      for await (const tile of made) seen.push(tile);
    };
    await expect(reading()).rejects.toBe(boom);
    expect(seen).toEqual([0, 1]);
    expect(keys()).toEqual(['upto/5']);
    expect(await made.next()).toEqual({ done: true, value: undefined });
    expect(keys()).toEqual(['upto/5']);
  });

  test('that ends well, or is left early, did not fail', async () => {
    const made = wrap(tilesLater)(2);
    expect(made).toBeInstanceOf(tilesLater);
    expect(await made.next()).toEqual({ done: false, value: 0 });
    expect(await made.next(5)).toEqual({ done: false, value: 1 });
    expect(await made.next(6)).toEqual({ done: true, value: 'sum 11' });
    for await (const _ of wrap(tilesLater)(5)) break;
    expect(await wrap(tilesLater)(5).return('left')).toEqual({ done: true, value: 'left' });
    expect(keys()).toEqual([]);
  });
});

describe('what else a task may give', () => {
  test('a promise of another make is awaited, and its failure captured', async () => {
    const thenable = {
      // biome-ignore lint/suspicious/noThenProperty: a promise of another make is what is tried
      then(_: unknown, reject: (reason: unknown) => void) {
        reject(boom);
      },
    };
    await expect(wrap((_: number) => thenable as unknown as Promise<void>)(3)).rejects.toBe(boom);
    expect(keys()).toEqual(['upto/3']);
  });

  test('streams, iterators that are no generators and objects that cannot be read are given as they are', () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    for (const given of [[1, 2].values(), new Map().entries(), proxy, () => 1, null]) {
      expect(Object.is(wrap((_: number): unknown => given)(1), given)).toBe(true);
    }
  });

  test('frozen errors and what is no error are raised as they are, by every kind of task', async () => {
    for (const thrown of [boom, 'text', null, undefined, Object.freeze({ code: 1 })]) {
      const raised: unknown[] = [];
      const note = (error: unknown) => raised.push(error);
      const fail = () => {
        throw thrown;
      };
      try {
        wrap((_: number) => fail())(1);
      } catch (error) {
        note(error);
      }
      await wrap(async (_: number) => fail())(1).catch(note);
      try {
        // biome-ignore lint/correctness/useYield: it fails before it yields
        wrap(function* (_: number) {
          fail();
        })(1).next();
      } catch (error) {
        note(error);
      }
      await wrap(async function* (_: number) {
        yield fail();
      })(1)
        .next()
        .catch(note);
      expect(raised).toEqual([thrown, thrown, thrown, thrown]);
      expect(raised.every((one) => Object.is(one, thrown))).toBe(true);
    }
  });
});
