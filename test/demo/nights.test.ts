import Ajv from 'ajv';
import { describe, expect, test, vi } from 'vitest';
import { nightStart } from '@/db/demo/load';
import { MANIFESTS } from '@/db/demo/manifests';
import { Schedule } from '@/db/demo/nights';
import { atLeast, NIGHTS, versionOn } from '@/db/demo/versions';
import { manifestSchema } from '@/lib/contract/task';
import { SEED } from './demo-night';

// These run real libraries, children and servers; a busy machine is no reason to call them failed.
vi.setConfig({ testTimeout: 60_000 });

const worksOf = (seed: number, night: number) => new Schedule(seed).jobs(night).map(({ work }) => work);

describe('the nights of the demo', () => {
  test('the same seed gives the same work, byte for byte; another seed gives other work', () => {
    for (const night of [3, 60]) {
      expect(worksOf(SEED, night)).toEqual(worksOf(SEED, night));
      expect(worksOf(SEED + 1, night).map((work) => work.work_key)).not.toEqual(
        worksOf(SEED, night).map((work) => work.work_key),
      );
    }
  });

  test('what failed comes up again, with the same key and the next release’s payload', () => {
    const schedule = new Schedule(SEED);
    const parcels = schedule.jobs(82).filter(({ work }) => work.work_key.startsWith('parcels/39/'));
    schedule.failed(82, parcels);
    const next = new Map(schedule.jobs(83).map((job) => [job.unit.work_key, job.work]));
    const both = parcels.filter(({ unit }) => next.has(unit.work_key));
    expect(both.length).toBeGreaterThan(10);
    const changed = both.find(({ work }) => work.src_crs === 'EPSG:3734');
    expect(changed && next.get(changed.unit.work_key)?.src_crs).toBe('EPSG:32122');
  });

  test('last night is the latest whose run is over', () => {
    const at = (now: string) => nightStart(NIGHTS - 1, new Date(now)).toISOString();
    expect(at('2026-11-30T14:00:00Z')).toBe('2026-11-30T01:00:00.000Z');
    expect(at('2026-11-30T02:00:00Z')).toBe('2026-11-29T01:00:00.000Z');
    expect(nightStart(0, new Date('2026-11-30T14:00:00Z')).toISOString()).toBe('2026-09-02T01:00:00.000Z');
  });

  test('releases compare by their numbers', () => {
    expect(atLeast('2.14.0', '2.9.9')).toBe(true);
    expect(atLeast('2.13.4', '2.13.4')).toBe(true);
    expect(atLeast('2.13.4', '2.14.0')).toBe(false);
    expect([0, 21, 53, 83, 89].map(versionOn)).toEqual(['2.11.3', '2.12.9', '2.13.4', '2.14.0', '2.14.0']);
  });
});

describe('the manifests', () => {
  const ajv = new Ajv({ allowUnionTypes: true });

  test('are manifests of the contract', () => {
    for (const manifest of Object.values(MANIFESTS)) manifestSchema.parse(manifest);
  });

  test('the newest release rebuilds the payloads of 2.14.0, and no release that is not named', () => {
    for (const work of worksOf(SEED, 83)) {
      const { params_schema, code_versions } = MANIFESTS[work.task_name];
      expect(ajv.validate(params_schema, work.params), `${work.work_key} ${ajv.errorsText()}`).toBe(true);
      expect(code_versions).toContain('2.14.0');
      expect(code_versions).not.toContain('2.11.3');
    }
  });

  test('parcels and mosaics before 2.13.4 lack params that the newest needs', () => {
    const old = worksOf(SEED, 30).filter(({ work_key }) => work_key.startsWith('parcels/'));
    expect(old.length).toBeGreaterThan(0);
    for (const work of old) {
      expect(ajv.validate(MANIFESTS.reproject_parcels.params_schema, work.params)).toBe(false);
    }
  });
});
