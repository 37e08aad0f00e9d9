import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { spoolLine } from '@/lib/capture/spool-line';
import { findingsOf } from './check';
import { testRandomSchedules } from './random-schedules';
import { settled } from './schedule';
import { makeWorld, type World } from './world';

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world?.remove());

describe('whatever fails and in whatever order, what a client acknowledged is in the queue exactly once, as it was given', () => {
  testRandomSchedules(() => world, [1, 2, 3, 4, 5]);
});

describe('the checks see what they are for', () => {
  const BURST = 12;

  /** A burst that lies in the spool and is not loaded yet. */
  async function spooled(burst: number): Promise<string[]> {
    world.forget();
    world.loader.freeze();
    world.http.set({ kind: 'refuse' });
    world.http.reset();
    world.capturers[0]?.tell({ kind: 'burst', burst, count: BURST });
    await until(() => world.said.filter(({ kind }) => kind === 'acked').length === BURST);
    return readdirSync(world.spool).filter((name) => name.includes('.ndjson'));
  }
  async function loaded(burst: number) {
    world.http.set({ kind: 'clear' });
    world.loader.thaw();
    await settled(world);
    return findingsOf(world, [burst], BURST);
  }

  test('a spool file that vanishes is a loss', async () => {
    for (const name of await spooled(901)) rmSync(path.join(world.spool, name));
    expect((await loaded(901)).lost).toHaveLength(BURST);
  });

  test('a replay under new ids is a surplus', async () => {
    for (const name of await spooled(902)) {
      const lines = readFileSync(path.join(world.spool, name), 'utf8').trim().split('\n');
      const again = lines.map((line) => {
        const text = line.slice(line.indexOf('"capture":') + 10, -1);
        return spoolLine(
          text.replace(/"capture_id":"[0-9a-f]/, (head) => head.slice(0, -1) + (head.endsWith('0') ? '1' : '0')),
        );
      });
      writeFileSync(path.join(world.spool, `again-902-0-00000000-0.ndjson`), Buffer.concat(again));
    }
    const findings = await loaded(902);
    expect(findings.lost).toEqual([]);
    expect(findings.surplus.length).toBeGreaterThan(0);
  });

  test('a file moved to the loaded ones before it was loaded is a loss', async () => {
    mkdirSync(path.join(world.spool, 'loaded'), { recursive: true });
    for (const name of await spooled(903))
      renameSync(path.join(world.spool, name), path.join(world.spool, 'loaded', name));
    expect((await loaded(903)).lost).toHaveLength(BURST);
  });
});

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
}
