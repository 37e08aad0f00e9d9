import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { captureBatch } from '@/lib/capture';
import { readSpool } from '../unit/capture/read-spool';
import { type ClientWorld, idOf, makeClientWorld } from './client-world';

let world: ClientWorld;
let sink: ClientWorld['sink'];
let folder: ClientWorld['folder'];
let captureOf: ClientWorld['captureOf'];
beforeEach(async () => {
  world = await makeClientWorld();
  ({ sink, folder, captureOf } = world);
});
afterEach(() => world.remove());

describe('a batch', () => {
  const batchOf = (more: object = {}) =>
    captureBatch({ url: sink.url, spool: folder, max_wait_ms: 5, timeout_ms: 20_000, warn: () => {}, ...more });
  const all = (batch: ReturnType<typeof batchOf>, keys: string[]) =>
    Promise.all(keys.map((work_key) => captureOf(work_key, { batch })));

  test('whose request failed spools each of its lines, in order', async () => {
    sink.mood = 'refuse';
    const results = await all(batchOf(), ['a', 'b', 'c']);
    expect(results.map((one) => one.kept)).toEqual(['spool', 'spool', 'spool']);
    expect(readSpool(folder).captures).toEqual(results.map((one) => one.line));
  });

  test('spools the one line that the server refuses', async () => {
    const batch = batchOf();
    const results = await Promise.all([batch.add('{"work_key":"a","task_name":"t"}'), batch.add('{"n":1}')]);
    expect(results.map((one) => one.kept)).toEqual(['server', 'spool']);
    expect(readSpool(folder).captures).toEqual(['{"n":1}']);
  });

  test('sends again what the database could not take just then', async () => {
    sink.mood = 'unready';
    const results = await all(batchOf(), ['a', 'b']);
    expect(results.map((one) => one.kept)).toEqual(['server', 'server']);
    expect(sink.requests).toHaveLength(2);
  });

  test('sends again what an answer that broke off says nothing of, under the same capture_id', async () => {
    sink.mood = 'halt';
    const results = await all(batchOf(), ['a', 'b', 'c']);
    expect(results.map((one) => one.kept)).toEqual(['server', 'server', 'server']);
    expect(new Set(sink.lines.map(idOf))).toEqual(new Set(results.map((one) => idOf(one.line))));
  });

  test('waits for a busy server as long as it says', async () => {
    sink.mood = 'busy';
    const results = all(batchOf(), ['a', 'b']);
    await sink.next_request();
    sink.mood = 'take';
    expect((await results).map((one) => one.kept)).toEqual(['server', 'server']);
  });

  test('holds no more in memory than it may: what comes on top goes to the spool at once', async () => {
    sink.mood = 'stall';
    const batch = batchOf({ max_held_bytes: 1, timeout_ms: 600_000 });
    const first = captureOf('a', { batch });
    const second = await captureOf('b', { batch });
    expect(second).toMatchObject({ kept: 'spool', reason: expect.stringContaining('as many captures as it may') });
    sink.mood = 'take';
    sink.reset_all();
    expect((await first).kept).toBe('server');
  });
});
