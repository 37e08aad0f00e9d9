import { expect, test } from 'vitest';
import { MUST_BE_EMPTY } from './check';
import { runSchedule } from './schedule';
import type { World } from './world';

const SCHEDULES_PER_GROUP = 15;

/** Tests of 15 random schedules each; a group's number is its seed. */
export function testRandomSchedules(world: () => World, groups: readonly number[]): void {
  test.each(groups)('random schedules, group %i', { timeout: 300_000 }, async (group) => {
    let acked = 0;
    for (let i = 0; i < SCHEDULES_PER_GROUP; i += 1) {
      const result = await runSchedule(world(), group * 1000 + i);
      const wrong = MUST_BE_EMPTY.filter((name) => result[name].length > 0);
      expect(wrong, JSON.stringify(result)).toEqual([]);
      acked += result.acked;
    }
    expect(acked).toBeGreaterThan(SCHEDULES_PER_GROUP * 10);
  });
}
