import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { closePool } from '@/db/client';
import { spoolSchema } from '@/lib/contract/spool';
import { spoolDirectory } from '@/lib/spool/spool-directory';
import { watchSpools } from '@/lib/spool/watch';
import { makeSpoolWorld, type SpoolWorld } from '../db/spool/spool-world';
import { cloneDatabase, type TestDatabase } from '../support/database';
import { send } from '../support/http';
import { captures, spoolBytes, spooledCapture } from '../support/spool-lines';

let database: TestDatabase;
let world: SpoolWorld;
let routes: Record<'spool' | 'rejected' | 'dismiss' | 'retry', import('@/lib/http/route').RouteHandler>;

beforeAll(async () => {
  database = await cloneDatabase();
  vi.stubEnv('DATABASE_URL', database.url);
  world = makeSpoolWorld(database);
  routes = {
    spool: (await import('@/app/api/spool/route')).GET,
    rejected: (await import('@/app/api/spool/rejected/route')).GET,
    dismiss: (await import('@/app/api/spool/rejected/[id]/dismiss/route')).POST,
    retry: (await import('@/app/api/spool/rejected/[id]/retry/route')).POST,
  };
  world.write(
    'a.ndjson',
    `${spoolBytes(captures(0, 3))}not json\n{"work_key":"later","task_name":"t","newer_member":1}\n${'z'.repeat(5000)}\n`,
  );
  const watching = watchSpools({
    db: database.db,
    sources: [spoolDirectory(world.folder)],
    blobs: null,
    worker: 'test',
    keep_days: 7,
  });
  await watching(new AbortController().signal);
});
afterAll(async () => {
  world?.remove();
  await closePool();
  await database?.drop();
});

interface Rejected {
  id: string;
  line: number;
  reason: string;
  head: string;
  is_whole: boolean;
  side_file: string | null;
  entry_id: string | null;
}
const rejectedLines = async (query = '') => {
  const { json } = await send(routes.rejected, { path: `/api/spool/rejected${query}` });
  return json as { items: Rejected[]; next_cursor: string | null };
};
const post = (handler: 'dismiss' | 'retry', id: string) =>
  send(routes[handler], { method: 'POST', path: `/api/spool/rejected/${id}/${handler}`, params: { id } });

test('the spool’s state names its sources, files and counts', async () => {
  const { status, json } = await send(routes.spool, { path: '/api/spool' });
  expect(status).toBe(200);
  const spool = spoolSchema.parse(json);
  expect(spool.sources).toMatchObject([
    { url: world.folder, kind: 'directory', reachable: true, waiting_files: 0, waiting_bytes: 0 },
  ]);
  expect(spool.files).toMatchObject([
    {
      name: 'a.ndjson',
      state: 'loaded',
      lines: 6,
      stored: 3,
      duplicates: 0,
      rejected: 3,
      side_file: path.join(world.folder, 'rejected', 'a.ndjson'),
      retry_at: null,
    },
  ]);
  expect(spool).toMatchObject({ rejected: { total: 3, open: 3 }, next_cursor: null });
});

test('a source that no worker has looked at for some minutes is said not to be watched', async () => {
  const sources = async () => spoolSchema.parse((await send(routes.spool, { path: '/api/spool' })).json).sources;
  expect(await sources()).toMatchObject([{ is_watched: true }]);
  await database.pool.query("update dlq.spool_source set looked_at = now() - interval '3 minutes'");
  expect(await sources()).toMatchObject([{ url: world.folder, is_watched: false }]);
});

test('what waits is counted by source', async () => {
  await database.pool.query(
    "insert into dlq.spool_file (source, name, size_bytes, done_bytes, modified_at) values ($1, 'w.ndjson', 100, 40, now())",
    [world.folder],
  );
  const { json } = await send(routes.spool, { path: '/api/spool' });
  expect((json as { sources: unknown[] }).sources).toMatchObject([
    { waiting_files: 1, waiting_bytes: 60, oldest_waiting_at: expect.any(String) },
  ]);
});

test('a file that could not be loaded says when it is tried again', async () => {
  const packed = gzipSync('{}\n');
  world.write('b.ndjson', packed);
  await world.load();
  const { files } = spoolSchema.parse((await send(routes.spool, { path: '/api/spool' })).json);
  const failed = files.find(({ name }) => name === 'b.ndjson');
  expect(failed).toMatchObject({ state: 'failed', error: expect.stringContaining('zcat b.ndjson'), rejected: 0 });
  const { rows } = await database.pool.query(
    "select $1::timestamptz between now() and now() + interval '1 minute' as is_soon",
    [failed?.retry_at],
  );
  expect(rows[0].is_soon).toBe(true);
});

test('rejected lines are listed, the newest first, with their text', async () => {
  const { items } = await rejectedLines();
  expect(items.map(({ line, reason, is_whole }) => [line, reason, is_whole])).toEqual([
    [6, 'not_json', false],
    [5, 'refused', true],
    [4, 'not_json', true],
  ]);
  expect(items[2]).toMatchObject({ head: 'not json', side_file: path.join(world.folder, 'rejected', 'a.ndjson') });
});

test('a dismissed line is open no more and cannot be dealt with twice', async () => {
  const id = (await rejectedLines()).items[2]?.id ?? '';
  expect(await post('dismiss', id)).toMatchObject({ status: 200, json: { id, dismissed_by: 'operator' } });
  expect((await rejectedLines('?open=true')).items.map((one) => one.line)).toEqual([6, 5]);
  expect((await rejectedLines('?open=false')).items.map((one) => one.line)).toEqual([4]);
  expect(await post('dismiss', id)).toMatchObject({ status: 409, json: { error: { code: 'conflict' } } });
  expect(await post('retry', id)).toMatchObject({ status: 409 });
  expect(await post('dismiss', '99999')).toMatchObject({ status: 404 });
});

test('a line tried again is refused again with the reason, or stored and dealt with', async () => {
  const { items } = await rejectedLines('?open=true');
  const [long, refused] = items;
  expect(await post('retry', long?.id ?? '')).toMatchObject({
    status: 422,
    json: { error: { message: expect.stringMatching(/^line 6 of a.ndjson cannot be taken: not JSON/) } },
  });
  expect(await post('retry', refused?.id ?? '')).toMatchObject({
    status: 422,
    json: { error: { message: expect.stringMatching(/newer_member/), details: { reason: 'refused' } } },
  });
  // as if a newer version took what this one refuses
  const text = JSON.stringify(spooledCapture(77));
  await database.pool.query('update dlq.rejected_line set head = $2 where id = $1', [refused?.id, text]);
  const stored = await post('retry', refused?.id ?? '');
  expect(stored).toMatchObject({ status: 200, json: { work_key: 'unit/77', outcome: 'created' } });
  const now = (await rejectedLines()).items.find(({ id }) => id === refused?.id);
  expect(now).toMatchObject({ entry_id: (stored.json as { id: string }).id, dismissed_by: 'operator' });
});

test('a cursor that is none is refused by name', async () => {
  expect(await send(routes.spool, { path: '/api/spool?cursor=x' })).toMatchObject({
    status: 400,
    json: { error: { message: expect.stringMatching(/“x” is no cursor/) } },
  });
});
