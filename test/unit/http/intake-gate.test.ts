import { describe, expect, test } from 'vitest';
import { IntakeGate, type Place } from '@/lib/http/intake-gate';

/** Work that ends when it is told to. */
function held() {
  let end: () => void = () => {};
  const until = new Promise<void>((resolve) => {
    end = resolve;
  });
  let place: Place | undefined;
  const work = async (given: Place) => {
    place = given;
    await until;
    return 'done';
  };
  return { work, end, place: () => place as Place };
}

const refused = (what: RegExp) =>
  expect.objectContaining({ code: 'rate_limited', message: expect.stringMatching(what) });
const gate = (more: Partial<ConstructorParameters<typeof IntakeGate>[0]> = {}) =>
  new IntakeGate({ concurrency: 2, max_held_bytes: 100, wait_ms: 60_000, ...more });

describe('the gate', () => {
  test('lets so many in, makes as many wait in their order, and refuses the next at once', async () => {
    const one = gate();
    const [a, b, c, d] = [held(), held(), held(), held()];
    const answers = [a, b, c, d].map(({ work }) => one.pass(work));
    await expect(one.pass(async () => 'overtaken')).rejects.toEqual(refused(/DLO_INTAKE_CONCURRENCY/));
    expect([c.place(), d.place()]).toEqual([undefined, undefined]);
    b.end();
    await answers[1];
    await Promise.resolve();
    expect(c.place()).toBeDefined();
    expect(d.place()).toBeUndefined();
    for (const { end } of [a, c, d]) end();
    expect(await Promise.all(answers)).toEqual(['done', 'done', 'done', 'done']);
    expect(await one.pass(async () => 'free again')).toBe('free again');
  });

  test('lets nobody wait longer than it says, and gives no place to whom it sent away', async () => {
    const one = gate({ concurrency: 1, wait_ms: 5 });
    const first = held();
    const answer = one.pass(first.work);
    const late = held();
    await expect(one.pass(late.work)).rejects.toEqual(refused(/Retry-After/));
    first.end();
    await answer;
    expect(late.place()).toBeUndefined();
    expect(await one.pass(async () => 'next')).toBe('next');
  });

  test('gets the place back from work that fails, also where it had kept it', async () => {
    const one = gate({ concurrency: 1 });
    for (const keeps of [false, true]) {
      const failing = one.pass(async (place) => {
        if (keeps) place.keep();
        throw new Error('failed');
      });
      await expect(failing).rejects.toThrow('failed');
    }
    expect(await one.pass(async () => 'in')).toBe('in');
  });

  test('keeps the place of an answer that is still streaming until it is left, once', async () => {
    const one = gate({ concurrency: 1, wait_ms: 5 });
    const leave = await one.pass(async (place) => place.keep());
    await expect(one.pass(async () => 'in')).rejects.toEqual(refused(/in work/));
    leave();
    leave();
    expect(await one.pass(async () => 'in')).toBe('in');
    const second = held();
    const answer = one.pass(second.work);
    await expect(one.pass(async () => 'twice')).rejects.toEqual(refused(/in work/));
    second.end();
    await answer;
  });

  test('refuses bytes that are too many together, and takes one alone whatever it holds', async () => {
    const one = gate();
    const [a, b] = [held(), held()];
    const answers = [one.pass(a.work), one.pass(b.work)];
    await Promise.resolve();
    a.place().hold(60);
    b.place().hold(40);
    expect(() => b.place().hold(41)).toThrow(/DLO_INTAKE_BYTES/);
    a.place().hold(10);
    b.place().hold(90);
    a.end();
    await answers[0];
    b.place().hold(500);
    b.end();
    await answers[1];
    await one.pass(async (place) => place.hold(100));
    await one.pass(async (place) => place.hold(100));
  });
});
