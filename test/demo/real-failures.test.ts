import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { knownCrs } from '@/db/demo/sources/crs-registry';
import { openSources, type Sources } from '@/db/demo/sources/open-sources';
import { TASKS } from '@/db/demo/tasks/tasks';
import { bboxOf, readWkb } from '@/db/demo/vertices';
import { errorType } from '@/lib/capture/error-evidence';
import { FAILURE_CLASSES } from '@/lib/dead-letter/vocabulary';
import { type CaptureSink, captureSink } from '../unit/capture/capture-sink';
import { type Captured, captureNights, workOfCapture } from './demo-night';

// These run real libraries, children and servers; a busy machine is no reason to call them failed.
vi.setConfig({ testTimeout: 60_000 });

/** One night of each release, the outages among them; 83 is the first night of 2.14.0. */
const SOME_NIGHTS = [5, 18, 41, 60, 67, 77, 83];

let sources: Sources;
let sink: CaptureSink;
let captures: Captured[];
beforeAll(async () => {
  sources = await openSources();
  sink = await captureSink();
  captures = await captureNights(SOME_NIGHTS, sources, sink);
}, 120_000);
afterAll(async () => {
  await sink.close();
  await sources.close();
});

describe('the failures of the demo', () => {
  test('cover all five classes, most of them in two or three', () => {
    const counts = FAILURE_CLASSES.map((name) => captures.filter((one) => one.failure_class === name).length);
    expect(Math.min(...counts)).toBeGreaterThan(0);
    const [first = 0, second = 0, third = 0] = [...counts].sort((a, b) => b - a);
    expect((first + second + third) / captures.length).toBeGreaterThan(0.8);
  });

  test('cover every task and come from all the libraries and the system', () => {
    expect(new Set(captures.map((one) => one.task_name))).toEqual(new Set(Object.keys(TASKS)));
    const types = new Set(captures.map((one) => one.error_type));
    for (const type of ['TopologyException', 'IllegalArgumentException', 'string', 'TimeoutError', 'SyntaxError']) {
      expect(types).toContain(type);
    }
  });

  test('are real: the stored payload, run again by the same release, fails with the same type of error', async () => {
    const wrong: string[] = [];
    for (const night of SOME_NIGHTS) {
      sources.atNight(night);
      const fails = captures.filter((one) => one.night === night);
      const waits = fails.filter((one) => one.task_name === 'fetch_upstream');
      const check = async (one: Captured) => {
        const work = workOfCapture(one);
        const again = await failureOf(() => TASKS[work.task_name](work, String(one.code_version), sources));
        if (again !== one.error_type) wrong.push(`${one.work_key}: ${one.error_type}, then ${again}`);
      };
      for (const one of fails) if (!waits.includes(one)) await check(one);
      await Promise.all(waits.map(check));
    }
    expect(wrong).toEqual([]);
  }, 180_000);

  test('are thrown by a library, the system or a check on a task’s path, never where work is made up', () => {
    const made = captures.filter((one) => {
      const frame = /^\s+at (.+)$/m.exec(String(one.traceback))?.[1] ?? '';
      return /db\/demo\/(streams|sources|nights|run-night|load)/.test(frame);
    });
    expect(made.map((one) => one.traceback)).toEqual([]);
  });

  test('the tasks throw nothing but their own checks, each behind a condition on a result', () => {
    const folder = join(import.meta.dirname, '../../db/demo/tasks');
    for (const file of readdirSync(folder)) {
      const lines = readFileSync(join(folder, file), 'utf8').split('\n');
      lines.forEach((line, i) => {
        if (!/throw new/.test(line)) return;
        expect(line, file).toMatch(
          /throw new (CrsMismatchError|ReprojectionError|GeometryRepairError|WindowError|UpstreamError)\(/,
        );
        expect(lines.slice(Math.max(0, i - 3), i + 1).join('\n'), `${file}:${i + 1}`).toMatch(/\bif \(/);
      });
    }
  });

  test('at least 3 of 100 have nothing to put on a map, and most name their tile', () => {
    const share = captures.filter(hasNoPlace).length / captures.length;
    expect(share).toBeGreaterThan(0.03);
    expect(share).toBeLessThan(0.4);
    expect(captures.filter((one) => one.tile_z !== undefined).length / captures.length).toBeGreaterThan(0.8);
  });

  test('carry params of six members or more, a traceback, the run and the release', () => {
    for (const one of captures) {
      expect(Object.keys(one.params as object).length, one.work_key).toBeGreaterThanOrEqual(6);
      expect(one.traceback).not.toBe('');
      expect(one.run_id).toBe(`night-${one.night}`);
      expect(one.code_version).toMatch(/^2\.1[1-4]\.\d$/);
    }
  });

  test('a raster is a window of a source, never pixels', () => {
    const rasters = captures.filter((one) => one.task_name === 'raster_window');
    expect(rasters.length).toBeGreaterThan(0);
    for (const one of rasters) {
      expect(one).toMatchObject({ source_window: { width: expect.any(Number) }, source_uris: [expect.any(String)] });
      expect(JSON.stringify(one).length).toBeLessThan(10_000);
    }
  });
});

async function failureOf(run: () => unknown): Promise<string> {
  try {
    await run();
    return 'no failure';
  } catch (error) {
    return errorType(error);
  }
}

/** By the bytes: none, unreadable, a vertex that is none, or a claim that names nothing. */
function hasNoPlace(one: Captured): boolean {
  if (typeof one.geom_wkb !== 'string') return true;
  try {
    if (!bboxOf(readWkb(one.geom_wkb)).every(Number.isFinite)) return true;
  } catch {
    return true;
  }
  return knownCrs((one.src_crs as string | undefined) ?? null, '2.11.3') === undefined && one.src_crs !== 'EPSG:4269';
}
