import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { closePool } from '@/db/client';
import { type Run, type RunDetail, runDetailSchema, runListSchema, runSchema } from '@/lib/contract/run';
import type { RouteHandler } from '@/lib/http/route';
import { cloneDatabase, type TestDatabase } from '@/test/support/database';
import { send } from '@/test/support/http';

let database: TestDatabase;
let capture: RouteHandler;
let runs: { GET: RouteHandler; POST: RouteHandler };
let one: RouteHandler;
beforeAll(async () => {
  database = await cloneDatabase();
  vi.stubEnv('DATABASE_URL', database.url);
  vi.stubEnv('DLO_LOG_LEVEL', 'silent');
  capture = (await import('@/app/api/dead-letters/route')).POST;
  runs = await import('@/app/api/runs/route');
  one = (await import('@/app/api/runs/[run_id]/route')).GET;
});
afterAll(async () => {
  await closePool();
  await database.drop();
});

async function report(body: Record<string, unknown>): Promise<Run> {
  const answer = await send(runs.POST, { body: { task_name: 'clip', ...body } });
  expect(answer.text).not.toContain('"error"');
  return runSchema.parse(answer.json);
}
const refused = (body: Record<string, unknown>) =>
  send(runs.POST, { body: { task_name: 'clip', run_id: 'r', ...body } });

async function detail(run_id: string, query = ''): Promise<RunDetail> {
  return runDetailSchema.parse((await send(one, { path: `/x?${query}`, params: { run_id } })).json);
}

/** Every order of the items. */
function orders<T>(items: readonly T[]): T[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((item, i) => orders(items.toSpliced(i, 1)).map((rest) => [item, ...rest]));
}

describe('a run', () => {
  test('goes from its start over its progress to its end, and says what is missing', async () => {
    const name = { run_id: 'night-1', queue: 'prod' };
    const started = await report({ ...name, started_at: '2026-11-30T01:00:00Z', expected: 100, code_version: '2.1.0' });
    expect(started).toMatchObject({
      ...name,
      task_name: 'clip',
      status: 'running',
      started_at: '2026-11-30T01:00:00.000000Z',
      finished_at: null,
      duration_ms: null,
      expected: 100,
      succeeded: null,
      missing: 100,
    });
    expect(await report({ ...name, succeeded: 40, dead_lettered: 1 })).toMatchObject({ succeeded: 40, missing: 59 });
    const finished = await report({
      ...name,
      finished_at: '2026-11-30T01:30:00Z',
      succeeded: 95,
      dead_lettered: 3,
    });
    expect(finished).toMatchObject({
      status: 'finished',
      code_version: '2.1.0',
      finished_at: '2026-11-30T01:30:00.000000Z',
      duration_ms: 1_800_000,
      expected: 100,
      succeeded: 95,
      dead_lettered: 3,
      missing: 2,
      reported_by: 'operator',
    });
    expect(await report({ ...name, finished_at: '2026-11-30T01:30:00Z', succeeded: 95, dead_lettered: 3 })).toEqual({
      ...finished,
      updated_at: expect.any(String),
    });
  });

  test('is the same in the end, whatever the order of its reports', async () => {
    const reports = [
      { started_at: '2026-11-30T01:00:00Z', expected: 90, tiles: ['1/0/0'] },
      { succeeded: 40, dead_lettered: 7 },
      { succeeded: 60 },
      { status: 'finished', finished_at: '2026-11-30T02:00:00Z', duration_ms: 3_599_000, succeeded: 55, expected: 80 },
    ];
    const ends = [];
    for (const [i, order] of orders(reports).entries()) {
      let last: Run | undefined;
      for (const body of [...order, order[0]]) last = await report({ run_id: `order-${i}`, ...body });
      ends.push({ ...last, run_id: '', updated_at: '' });
    }
    expect(ends).toHaveLength(24);
    for (const end of ends) expect(end).toEqual(ends[0]);
    expect(ends[0]).toMatchObject({
      status: 'finished',
      started_at: '2026-11-30T01:00:00.000000Z',
      duration_ms: 3_599_000,
      expected: 80,
      succeeded: 55,
      dead_lettered: 7,
      tiles: 1,
    });
  });

  test('that failed and was taken up again is finished; one that is finished fails no more', async () => {
    await report({ run_id: 'again', status: 'failed', succeeded: 10 });
    expect(await report({ run_id: 'again', succeeded: 12 })).toMatchObject({ status: 'failed', succeeded: 10 });
    expect(await report({ run_id: 'again', status: 'finished', succeeded: 20 })).toMatchObject({ status: 'finished' });
    const late = await report({ run_id: 'again', status: 'failed', succeeded: 10 });
    expect(late).toMatchObject({ status: 'finished', succeeded: 20 });
  });

  test('reported twice at its end without a moment keeps the moment of the first', async () => {
    const first = await report({ run_id: 'moment', status: 'finished' });
    const second = await report({ run_id: 'moment', status: 'finished' });
    expect(first.finished_at).not.toBeNull();
    expect(second.finished_at).toBe(first.finished_at);
  });

  test('reported by eight at once is one run', async () => {
    await Promise.all(
      Array.from({ length: 8 }, (_, i) => report({ run_id: 'race', succeeded: [`3/${i}/0`, '3/0/0', '3/7/7'] })),
    );
    expect(await report({ run_id: 'race' })).toMatchObject({ succeeded: 9 });
  });
});

describe('the tiles of a run', () => {
  const failed = (tile: [number, number, number], more: Record<string, unknown> = {}) =>
    send(capture, {
      body: {
        work_key: `tile/${tile.join('/')}/${JSON.stringify(more)}`,
        task_name: 'clip',
        run_id: 'tiles',
        tile_z: tile[0],
        tile_x: tile[1],
        tile_y: tile[2],
        ...more,
      },
    });

  test('that neither succeeded nor are dead letters of it are its holes', async () => {
    await report({ run_id: 'tiles', tiles: ['2/0/0', '2/0/1', '2/0/2', '2/3/3', '2/0/0'] });
    await report({ run_id: 'tiles', tiles: ['2/3/3', '10/5/6'] });
    await failed([2, 0, 1]);
    await failed([2, 0, 1]);
    await failed([2, 3, 3], { task_name: 'another task' });
    await failed([10, 5, 6], { queue: 'another queue' });
    await failed([2, 0, 2], { run_id: 'another run' });
    expect(await report({ run_id: 'tiles', succeeded: ['2/0/0', '2/1/1'] })).toMatchObject({
      expected: 5,
      tiles: 5,
      succeeded: 2,
      dead_lettered: null,
      dead_letters: 1,
      missing: 3,
      unexpected: 1,
    });
    const { holes } = await detail('tiles');
    expect(holes).toEqual({ total: 3, tiles: ['2/0/2', '2/3/3', '10/5/6'], next_cursor: null });
    expect((await detail('tiles', 'limit=2')).holes).toEqual({
      total: 3,
      tiles: ['2/0/2', '2/3/3'],
      next_cursor: '2/3/3',
    });
    expect((await detail('tiles', 'limit=2&cursor=2/3/3')).holes).toMatchObject({
      tiles: ['10/5/6'],
      next_cursor: null,
    });
  });

  const listed = async (run_id: string) =>
    runListSchema
      .parse((await send(runs.GET, { path: '/x?limit=500' })).json)
      .items.find((run) => run.run_id === run_id);

  test('that are missing are not made up for by others that nobody expected', async () => {
    const run_id = 'short';
    await report({ run_id, tiles: ['3/1/2', '3/1/3'] });
    const told = await report({ run_id, succeeded: ['3/1/2', '9/9/9'], status: 'finished' });
    expect(told).toMatchObject({ expected: 2, succeeded: 2, missing: 1, unexpected: 1 });
    expect(await listed(run_id)).toEqual(told);
    expect(await detail(run_id)).toEqual({ ...told, holes: { total: 1, tiles: ['3/1/3'], next_cursor: null } });
  });

  test('are matched in whatever order and pieces they come, and once where they both failed and succeeded', async () => {
    const run_id = 'matched';
    await report({ run_id, succeeded: ['5/0/0', '5/0/1', '5/9/9'] });
    await report({ run_id, tiles: ['5/0/1', '5/0/2', '5/0/3', '5/0/4'] });
    for (const y of [1, 2, 2, 8]) await failed([5, 0, y], { run_id });
    const before = await report({ run_id, succeeded: ['5/0/1', '5/0/3'] });
    expect(before).toMatchObject({ tiles: 4, succeeded: 4, missing: 1, unexpected: 2 });
    expect((await detail(run_id)).holes?.tiles).toEqual(['5/0/4']);
    const after = await report({ run_id, tiles: ['5/0/0', '5/3/3'] });
    expect(after).toMatchObject({ tiles: 6, missing: 2, unexpected: 1 });
    expect(await listed(run_id)).toMatchObject({ missing: 2, unexpected: 1 });
    expect((await detail(run_id)).holes?.tiles).toEqual(['5/0/4', '5/3/3']);
  });

  test('that the manifest leaves out of what is expected can be missing too', async () => {
    const run_id = 'part of it';
    await report({ run_id, tiles: ['4/0/0', '4/0/1'], expected: 5 });
    const told = await report({ run_id, succeeded: ['4/0/0', '4/0/1', '4/7/7'], status: 'finished' });
    expect(told).toMatchObject({ missing: 2, unexpected: 1 });
    expect(await detail(run_id)).toMatchObject({ missing: 2, holes: { total: 0 } });
  });

  test('without a manifest, more than expected is no negative lack', async () => {
    const told = await report({ run_id: 'surplus', expected: 3, succeeded: 4, dead_lettered: 1, status: 'finished' });
    expect(told).toMatchObject({ missing: 0, unexpected: 2 });
    const counted = await report({ run_id: 'surplus of tiles', tiles: ['1/0/0'], succeeded: 3, status: 'finished' });
    expect(counted).toMatchObject({ missing: 0, unexpected: 2 });
    expect(await report({ run_id: 'nothing expected', succeeded: 3 })).toMatchObject({ missing: null, unexpected: 0 });
  });

  test('are all holes before anything was reported, and are not known where successes were only counted', async () => {
    await report({ run_id: 'counted', tiles: ['1/0/0', '1/0/1'] });
    expect((await detail('counted')).holes).toMatchObject({ total: 2 });
    await report({ run_id: 'counted', succeeded: 1 });
    expect(await detail('counted')).toMatchObject({ holes: null, missing: 1 });
    await report({ run_id: 'no manifest', expected: 3 });
    expect((await detail('no manifest')).holes).toBeNull();
  });

  test('reported in a hundred pieces are each counted once and lie in few rows', async () => {
    for (let i = 0; i < 100; i++)
      await report({ run_id: 'pieces', succeeded: [`8/${i}/0`, `8/${i}/1`, `8/${Math.max(0, i - 1)}/0`] });
    expect(await report({ run_id: 'pieces', tiles: ['8/0/0', '8/200/200'] })).toMatchObject({ succeeded: 200 });
    expect((await detail('pieces')).holes?.tiles).toEqual(['8/200/200']);
    const { rows } = await database.pool.query<{ n: number }>(
      `select count(*)::integer as n from dlq.run_tiles t join dlq.run r on r.id = t.run where r.run_id = 'pieces'`,
    );
    expect(rows[0]?.n).toBeLessThan(65);
  });

  test('are found among thousands, wherever they lie', async () => {
    const run_id = 'thousands';
    const tile = (i: number) => `12/${i % 60}/${Math.floor(i / 60)}`;
    const all = Array.from({ length: 3000 }, (_, i) => tile(i));
    await report({ run_id, tiles: all });
    await report({ run_id, succeeded: all.filter((_, i) => i % 1000 !== 7) });
    for (const i of [7, 1007, 8]) await failed([12, i % 60, Math.floor(i / 60)], { run_id });
    expect(await listed(run_id)).toMatchObject({ missing: 1, unexpected: 0 });
    expect((await detail(run_id)).holes?.tiles).toEqual([tile(2007)]);
  });

  test('of the greatest zoom are kept exactly', async () => {
    const tiles = ['29/536870911/536870911', '29/0/536870911', '0/0/0'];
    await report({ run_id: 'deep', tiles });
    expect((await detail('deep')).holes?.tiles).toEqual(tiles.toReversed());
  });

  test.each(['3/8/0', '3/0/8', '30/0/0', '3/0', '3/0/0/0', '-1/0/0', 'a/b/c', '3/0/0 ', ''])(
    'are refused by number and value where one is none: “%s”',
    async (tile) => {
      for (const member of ['tiles', 'succeeded']) {
        const answer = await refused({ [member]: ['0/0/0', tile] });
        expect(answer.status).toBe(400);
        expect(answer.json).toMatchObject({
          error: { message: expect.stringContaining(`${member}: number 2, “${tile}”`) },
        });
      }
    },
  );
});

describe('a report', () => {
  test.each([
    ['without a run_id', { run_id: undefined }, 'run_id'],
    ['with a member that is none', { expectd: 3 }, 'expectd'],
    ['with a status that is none', { status: 'done' }, 'status'],
    ['with a count that is none', { expected: -1 }, 'expected'],
    ['with half a tile done', { succeeded: 1.5 }, 'succeeded'],
    ['that runs and is finished', { status: 'running', finished_at: '2026-11-30T01:00:00Z' }, 'finished_at'],
    ['that runs and has its duration', { status: 'running', duration_ms: 1 }, 'duration_ms'],
    [
      'that ends before it starts',
      { started_at: '2026-11-30T01:00:00Z', finished_at: '2026-11-30T00:00:00Z' },
      'before started_at',
    ],
  ])('%s is refused with the reason', async (_, body, reason) => {
    const answer = await refused(body);
    expect(answer.status).toBe(400);
    expect(answer.text).toContain(reason);
  });

  test('of a page of another site is refused', async () =>
    expect((await send(runs.POST, { body: {}, headers: { origin: 'https://evil.example' } })).status).toBe(403));
});

describe('the list of runs', () => {
  test('goes from the latest start back, a page at a time, each run once', async () => {
    const hour = (i: number) => `2025-01-01T${String(10 + Math.floor(i / 2)).padStart(2, '0')}:00:00Z`;
    for (let i = 0; i < 7; i++)
      await report({ run_id: `page-${i}`, queue: 'paged', task_name: `t${i % 2}`, started_at: hour(i) });
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const path: string = `/x?queue=paged&limit=2${cursor ? `&cursor=${cursor}` : ''}`;
      const page = runListSchema.parse((await send(runs.GET, { path })).json);
      seen.push(...page.items.map(({ run_id }) => run_id));
      cursor = page.next_cursor;
    } while (cursor);
    expect(seen).toEqual([6, 5, 4, 3, 2, 1, 0].map((i) => `page-${i}`));
    const narrow = runListSchema.parse(
      (await send(runs.GET, { path: '/x?queue=paged&task_name=t1&status=running' })).json,
    );
    expect(narrow.items.map(({ run_id }) => run_id)).toEqual(['page-5', 'page-3', 'page-1']);
    expect((await send(runs.GET, { path: '/x?queue=paged&status=finished' })).json).toMatchObject({ items: [] });
  });

  test.each(['limit=0', 'limit=501', 'status=done', 'cursor=nonsense'])('refuses %s', async (query) =>
    expect((await send(runs.GET, { path: `/x?${query}` })).status).toBe(400),
  );
});

test('a run_id that several runs have asks which; one that none has is not found', async () => {
  await report({ run_id: 'twice', task_name: 'a' });
  await report({ run_id: 'twice', task_name: 'b', queue: 'other' });
  const answer = await send(one, { params: { run_id: 'twice' } });
  expect(answer.status).toBe(409);
  expect(answer.json).toMatchObject({
    error: {
      details: {
        runs: [
          { queue: 'default', task_name: 'a' },
          { queue: 'other', task_name: 'b' },
        ],
      },
    },
  });
  expect(await detail('twice', 'task_name=a')).toMatchObject({ queue: 'default' });
  expect((await send(one, { params: { run_id: 'none' } })).status).toBe(404);
});
