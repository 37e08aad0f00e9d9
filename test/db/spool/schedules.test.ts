import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { cloneDatabase, type TestDatabase } from '../../support/database';
import { captures, spoolBytes } from '../../support/spool-lines';
import { expectStoredOnce, makeSpoolWorld, type SpoolWorld } from './spool-world';

let database: TestDatabase;
let world: SpoolWorld;
let next = 0;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database?.drop());
beforeEach(() => {
  world = makeSpoolWorld(database);
});
afterEach(() => world.remove());

/** Captures of keys that no other run has. */
function freshCaptures(count: number) {
  next += count;
  return captures(next - count, count);
}

test('whatever files lines come in, how often and in which order, each counts once', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(fc.nat(9), { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 5 }),
      fc.array(fc.nat(4), { maxLength: 3 }),
      async (files, loads) => {
        const given = freshCaptures(10);
        const name = (i: number) => `${next}-${i}.ndjson`;
        for (const [i, picks] of files.entries()) {
          world.write(name(i), spoolBytes(picks.map((pick) => given[pick] ?? {})));
          if (loads.includes(i)) await world.load();
        }
        await world.load();
        const named = new Set(files.flat());
        await expectStoredOnce(
          database,
          given.filter((_, i) => named.has(i)),
        );
        let counted = 0;
        for (const [i] of files.entries()) {
          const file = await world.file(name(i));
          counted += Number(file?.stored);
          expect(Number(file?.stored) + Number(file?.duplicates)).toBe(files[i]?.length);
        }
        expect(counted).toBe(named.size);
      },
    ),
    { numRuns: 25 },
  );
});

test('any byte of a file changed costs the line it is in, which is kept as it stood, and no other', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.integer({ min: 1, max: 255 }),
      async (where, change) => {
        const given = freshCaptures(7);
        const bytes = spoolBytes(given);
        const at = Math.min(bytes.length - 2, Math.floor(where * bytes.length));
        const hit = bytes.subarray(0, at).filter((byte) => byte === 0x0a).length;
        const lost = bytes[at] === 0x0a ? [hit, hit + 1] : [hit];
        bytes[at] = (bytes[at] as number) ^ change;
        const name = `${next}.ndjson`;
        world.write(name, bytes);
        await world.load();
        await expectStoredOnce(
          database,
          given.filter((_, i) => !lost.includes(i)),
        );
        const kept = (await world.rejected(name)).map(({ line }) => line);
        // a byte that became a line break makes two lines of one, the first of them blank where it was the line's first byte
        expect(kept.length).toBeGreaterThanOrEqual(1);
        expect(kept.length).toBeLessThanOrEqual(2);
        expect([hit + 1, hit + 2]).toContain(kept[0]);
        expect(world.sideLines(name).map(({ line }) => line)).toEqual(kept);
      },
    ),
    { numRuns: 40 },
  );
});
