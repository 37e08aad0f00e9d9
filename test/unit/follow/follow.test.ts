import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Durations } from '@/lib/follow/durations';
import { hasGap, LONGEST_GAP_US } from '@/lib/follow/follower';
import { inParts } from '@/lib/follow/index-copy';
import { Kept } from '@/lib/follow/kept';
import { Turnstile } from '@/lib/follow/turnstile';
import { isoInstant } from '@/lib/triage/iso-instant';

test('changes are cut into parts that hold each of their entries once, none more than asked for', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(60)), fc.integer({ min: 1, max: 25 }), (sizes, most) => {
      const changes = sizes.map((entries, i) => ({ rev: String(i), entries }));
      const parts = inParts(changes, most);
      const held = parts.flatMap((list) =>
        list.flatMap(({ rev, first, last }) =>
          Array.from({ length: last - first + 1 }, (_, i) => `${rev}/${first + i}`),
        ),
      );
      expect(held).toEqual(
        changes.flatMap(({ rev, entries }) => Array.from({ length: entries }, (_, i) => `${rev}/${i + 1}`)),
      );
      const counts = parts.map((list) => list.reduce((sum, { first, last }) => sum + last - first + 1, 0));
      expect(counts.slice(0, -1).every((count) => count === most)).toBe(true);
      expect((counts.at(-1) ?? 0) <= most).toBe(true);
    }),
  );
});

test('there is a gap where changes can have been pruned, and where the database is an older one', () => {
  const moment = { snapshot: '100:120:110', as_of: '', as_of_us: 1e15 };
  expect(hasGap(moment, { ...moment, snapshot: '118:130:', as_of_us: 1e15 + LONGEST_GAP_US })).toBe(false);
  expect(hasGap(moment, { ...moment, as_of_us: 1e15 + LONGEST_GAP_US + 1 })).toBe(true);
  expect(hasGap(moment, { ...moment, snapshot: '100:119:' })).toBe(true);
});

describe('a turnstile', () => {
  test('lets pass at the end of a turn who came before it, and not who came during it', async () => {
    const turnstile = new Turnstile();
    const passed: string[] = [];
    const before = turnstile.pass(60_000).then(() => passed.push('before'));
    const turn = turnstile.open();
    const during = turnstile.pass(60_000).then(() => passed.push('during'));
    turn.done();
    await before;
    expect(passed).toEqual(['before']);
    turnstile.open().done();
    await during;
  });

  test('holds nobody for longer than it waits', async () => {
    await new Turnstile().pass(1);
  });

  test('wakes who waits for somebody, also when that one came before', async () => {
    const turnstile = new Turnstile();
    const woken = turnstile.knocked(60_000);
    void turnstile.pass(60_000);
    await woken;
    await turnstile.knocked(60_000);
    turnstile.openAll();
  });
});

describe('what is kept', () => {
  const sized = (size: number) => Promise.resolve({ size });

  test('is made once for all who ask, also while it is being made', async () => {
    const kept = new Kept<{ size: number }>(2, 100);
    let made = 0;
    const make = () => sized(++made);
    const all = await Promise.all([kept.get('a', make), kept.get('a', make)]);
    expect(all).toEqual([{ size: 1 }, { size: 1 }]);
    expect(await kept.get('a', make)).toEqual({ size: 1 });
  });

  test('is what was asked for last, within a number and a weight', async () => {
    const kept = new Kept<{ size: number }>(2, 100);
    for (const key of ['a', 'b', 'a', 'c']) await kept.get(key, () => sized(1));
    expect(await kept.get('a', () => sized(2))).toEqual({ size: 1 });
    expect(await kept.get('b', () => sized(2))).toEqual({ size: 2 });
    await kept.get('heavy', () => sized(101));
    expect(await kept.get('b', () => sized(3))).toEqual({ size: 3 });
  });

  test('is no failure', async () => {
    const kept = new Kept<{ size: number }>(2, 100);
    await expect(kept.get('a', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
    expect(await kept.get('a', () => sized(1))).toEqual({ size: 1 });
  });
});

test('a duration counts in every class that it is not over', () => {
  const durations = new Durations();
  durations.note('triage', 5);
  durations.note('triage', 90);
  expect(durations.by.get('triage')).toMatchObject({ count: 2, up_to: [0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 2] });
});

test('an instant is written to the microsecond, before and after what a Date can say', () => {
  expect(isoInstant(1_796_079_606_309_123)).toBe('2026-11-30T23:00:06.309123Z');
  expect(isoInstant(-1)).toBe('1969-12-31T23:59:59.999999Z');
  expect(isoInstant(253_402_300_800_000_000n)).toBe('10000-01-01T00:00:00.000000Z');
  expect(isoInstant(9_224_318_015_999_999_999n)).toBe('294276-12-31T23:59:59.999999Z');
  // the year before the first, as to_char writes it
  expect(isoInstant(-62_135_596_800_000_001n)).toBe('0001-12-31T23:59:59.999999Z');
  expect(isoInstant(Number.POSITIVE_INFINITY)).toBe('infinity');
  expect(isoInstant(Number.NEGATIVE_INFINITY)).toBe('-infinity');
});
