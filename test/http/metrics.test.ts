import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { closePool } from '@/db/client';
import { startTriageIndex, stopTriageIndex } from '@/lib/follow/triage-index';
import type { RouteHandler } from '@/lib/http/route';
import { blankRow, insertRows } from '@/test/db/triage/rows';
import { cloneDatabase, type TestDatabase } from '@/test/support/database';
import { send } from '@/test/support/http';

let database: TestDatabase;
let metrics: RouteHandler;
let triage: RouteHandler;
beforeAll(async () => {
  database = await cloneDatabase();
  vi.stubEnv('DATABASE_URL', database.url);
  vi.stubEnv('DLO_LOG_LEVEL', 'silent');
  metrics = (await import('@/app/metrics/route')).GET;
  triage = (await import('@/app/api/triage/route')).GET;
  await insertRows(database.pool, [
    { ...blankRow(1), failure_class: 'their "own"\\ word\nof two lines' },
    { ...blankRow(2), failure_class: 'oom' },
    { ...blankRow(3), failure_class: 'oom', state: 'resolved' },
  ]);
});
afterAll(async () => {
  await stopTriageIndex();
  await closePool();
  await database.drop();
});

/** The samples by name and labels as they stand; every line must be one of the format's. */
async function read(): Promise<Map<string, number>> {
  const { status, headers, text } = await send(metrics);
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  expect(text.endsWith('\n')).toBe(true);
  const samples = new Map<string, number>();
  let family = '';
  for (const line of text.slice(0, -1).split('\n')) {
    const help = /^# HELP (dlo_[a-z0-9_]+) \S/.exec(line);
    const type = /^# TYPE (dlo_[a-z0-9_]+) (gauge|counter|histogram)$/.exec(line);
    const sample =
      /^(dlo_[a-z0-9_]+)(\{[a-z_]+="(?:[^"\\]|\\["\\n])*"(?:,[a-z_]+="(?:[^"\\]|\\["\\n])*")*\})? (-?[\d.e+-]+|NaN|[+-]Inf)$/.exec(
        line,
      );
    expect(help ?? type ?? sample, line).not.toBeNull();
    if (help) family = help[1]!;
    else if (type) expect(type[1]).toBe(family);
    else {
      expect(sample![1]!.replace(/_(bucket|sum|count)$/, ''), 'samples stand under their family').toBe(family);
      const name = `${sample![1]}${sample![2] ?? ''}`;
      expect(samples.has(name), `${name} is there once`).toBe(false);
      samples.set(name, Number(sample![3]));
    }
  }
  return samples;
}

test('without an index there are the process, its connections and its database', async () => {
  const samples = await read();
  expect(samples.get('dlo_process_resident_memory_bytes')).toBeGreaterThan(10e6);
  expect(samples.get('dlo_database_up')).toBe(1);
  expect([...samples.keys()].filter((name) => name.startsWith('dlo_index'))).toEqual([]);
});

test('the index says what it holds, what it has answered and how deep the queue is', async () => {
  await startTriageIndex({ database_url: database.url }).settled();
  expect((await send(triage)).status).toBe(200);
  const samples = await read();
  expect(samples.get('dlo_index_ready')).toBe(1);
  expect(samples.get('dlo_index_entries')).toBe(3);
  expect(samples.get('dlo_index_behind_seconds')).toBeLessThan(60);
  expect(samples.get('dlo_index_answer_seconds_count{verb="triage"}')).toBe(1);
  expect(samples.get('dlo_index_answer_seconds_bucket{verb="triage",le="+Inf"}')).toBe(1);
  expect(samples.get('dlo_depth{failure_class="oom",state="open"}')).toBe(1);
  expect(samples.get('dlo_depth{failure_class="oom",state="resolved"}')).toBe(1);
  expect(samples.get('dlo_depth{failure_class="their \\"own\\"\\\\ word\\nof two lines",state="open"}')).toBe(1);
  expect(samples.get('dlo_process_event_loop_delay_seconds{quantile="0.5"}')).toBeGreaterThan(0);
  // by no name a position or what was captured
  expect([...samples.keys()].join()).not.toMatch(/key-1|something broke|lon|lat[^e]/);
});
