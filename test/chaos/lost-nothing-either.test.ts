import { afterAll, beforeAll, describe } from 'vitest';
import { testRandomSchedules } from './random-schedules';
import { makeWorld, type World } from './world';

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world?.remove());

// in a file of its own, so that half of the schedules run beside the other half
describe('nor is anything lost in other schedules', () => {
  testRandomSchedules(() => world, [6, 7, 8, 9, 10]);
});
