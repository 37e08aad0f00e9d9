import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MUST_BE_EMPTY } from './check';
import { canTrace, FAILING_DISK, underStrace } from './faults/strace';
import { runSchedule } from './schedule';
import { makeWorld, type World } from './world';

const GROUPS = 5;
const SCHEDULES_PER_GROUP = 10;

describe.runIf(canTrace())('with a disk whose fsync, truncation and renaming fail now and then', () => {
  let world: World;
  beforeAll(async () => {
    world = await makeWorld({ wrapper: underStrace(FAILING_DISK) });
  });
  afterAll(() => world?.remove());

  test.each(Array.from({ length: GROUPS }, (_, i) => i + 1))(
    'no schedule loses, doubles or changes what was acknowledged, group %i',
    { timeout: 300_000 },
    async (group) => {
      for (let i = 0; i < SCHEDULES_PER_GROUP; i += 1) {
        const result = await runSchedule(world, 500_000 + group * 1000 + i);
        const wrong = MUST_BE_EMPTY.filter((name) => result[name].length > 0);
        expect(wrong, JSON.stringify(result)).toEqual([]);
      }
    },
  );
});
