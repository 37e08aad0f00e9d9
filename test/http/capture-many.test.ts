import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { closePool } from '@/db/client';
import type { CapturedLine } from '@/lib/contract/capture';
import type { RouteHandler } from '@/lib/http/route';
import { cloneDatabase, type TestDatabase } from '@/test/support/database';
import { send, sendLines } from '@/test/support/http';

let database: TestDatabase;
let POST: RouteHandler;
beforeAll(async () => {
  database = await cloneDatabase();
  vi.stubEnv('DATABASE_URL', database.url);
  vi.stubEnv('DLO_LOG_LEVEL', 'silent');
  ({ POST } = await import('@/app/api/dead-letters/route'));
});
afterAll(async () => {
  await closePool();
  await database.drop();
});

const line = (work_key: string, more: Record<string, unknown> = {}) =>
  JSON.stringify({ work_key, task_name: 'many', ...more });

setFlagsFromString('--expose_gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Bytes that are still referred to, on the heap and outside of it. */
function heldBytes(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

async function attemptsOf(prefix: string): Promise<Record<string, number>> {
  const { rows } = await database.pool.query<{ work_key: string; attempts: number }>(
    `select work_key, attempts from dlq.entry where starts_with(work_key, $1::text) order by work_key`,
    [prefix],
  );
  return Object.fromEntries(rows.map(({ work_key, attempts }) => [work_key, attempts]));
}

describe('many captures as NDJSON', () => {
  test('are answered line by line in their order; bad lines by number and reason, the rest is stored', async () => {
    const answers = await sendLines(POST, [
      line('mix-b'),
      'not json',
      '',
      line('mix-a', { srid: 'x' }),
      line('mix-a'),
      '   ',
      line('mix-b'),
      '{"work_key":"mix-c","task_name":"many","colour":1}',
      line('mix-c'),
    ]);
    expect(answers).toEqual([
      expect.objectContaining({ work_key: 'mix-b', attempts: 1, outcome: 'created' }),
      { line: 2, error: { code: 'bad_request', message: expect.stringContaining('not JSON') } },
      { line: 4, error: { code: 'bad_request', message: expect.stringContaining('srid') } },
      expect.objectContaining({ work_key: 'mix-a', outcome: 'created' }),
      expect.objectContaining({ work_key: 'mix-b', attempts: 2, outcome: 'repeated' }),
      { line: 8, error: { code: 'bad_request', message: expect.stringContaining('colour') } },
      expect.objectContaining({ work_key: 'mix-c', outcome: 'created' }),
    ]);
    expect(await attemptsOf('mix-')).toEqual({ 'mix-a': 1, 'mix-b': 2, 'mix-c': 1 });
  });

  test('need no newline at the end, take CRLF, and may be none', async () => {
    expect(await sendLines(POST, [`${line('end-1')}\r`, line('end-2')], '')).toHaveLength(2);
    expect(await sendLines(POST, [], '')).toEqual([]);
    expect(await sendLines(POST, ['', '', ''])).toEqual([]);
  });

  test('keep the others when the database refuses the values of one', async () => {
    // task_name and code_version together are longer than an index entry may be
    const wide = (n: number) => Array.from({ length: n }, (_, i) => String.fromCodePoint(0x20000 + i * 7)).join('');
    const refused = JSON.stringify({
      work_key: 'db-refused',
      task_name: wide(250),
      code_version: wide(250) + wide(250),
    });
    const answers = await sendLines(POST, [line('db-3'), refused, line('db-1'), line('db-3')]);
    expect(answers).toEqual([
      expect.objectContaining({ work_key: 'db-3', attempts: 1 }),
      { line: 2, error: { code: 'unprocessable', message: expect.stringContaining('index row') } },
      expect.objectContaining({ work_key: 'db-1', attempts: 1 }),
      expect.objectContaining({ work_key: 'db-3', attempts: 2 }),
    ]);
    expect(await attemptsOf('db-')).toEqual({ 'db-1': 1, 'db-3': 2 });
  });

  test('survive a line over 33 MB, which is answered by its number', async () => {
    const long = `{"work_key":"long-2","task_name":"many","geom_wkb":"${'00'.repeat(17_000_000)}"}`;
    const answers = await sendLines(POST, [line('long-1'), long, line('long-3')]);
    expect(answers).toEqual([
      expect.objectContaining({ work_key: 'long-1' }),
      { line: 2, error: { code: 'too_large', message: expect.stringContaining('33000000') } },
      expect.objectContaining({ work_key: 'long-3' }),
    ]);
  });

  test('over several chunks come back complete and in order', async () => {
    const keys = Array.from({ length: 1234 }, (_, i) => `order-${String((i * 7919) % 1234).padStart(4, '0')}`);
    const answers = (await sendLines(
      POST,
      keys.map((key) => line(key)),
    )) as CapturedLine[];
    expect(answers.map((answer) => ('work_key' in answer ? answer.work_key : answer))).toEqual(keys);
  });

  test('replayed under their capture_ids count once', async () => {
    const lines = Array.from({ length: 20 }, (_, i) =>
      line(`replay-${i % 10}`, { capture_id: `5a3f2f0e-27a7-4d5a-9c55-${String(i).padStart(12, '0')}` }),
    );
    await sendLines(POST, lines);
    const answers = (await sendLines(POST, lines)) as CapturedLine[];
    expect(answers.every((answer) => 'outcome' in answer && answer.outcome === 'duplicate')).toBe(true);
    expect(Object.values(await attemptsOf('replay-'))).toEqual(Array(10).fill(2));
  });

  test('from eight writers on the same keys in different orders raise nothing and count exactly', async () => {
    const keys = Array.from({ length: 150 }, (_, i) => `race-${i}`);
    const writers = Array.from({ length: 8 }, (_, w) =>
      sendLines(
        POST,
        keys.map((_, i) =>
          line(keys[(i * (2 * w + 1) * 7) % 150] as string, { error_text: `writer ${w}`, code_version: `v${i % 5}` }),
        ),
      ),
    );
    const answers = (await Promise.all(writers)).flat() as CapturedLine[];
    expect(answers.filter((answer) => 'error' in answer)).toEqual([]);
    const counted = Object.values(await attemptsOf('race-')).reduce((sum, attempts) => sum + attempts, 0);
    expect(counted).toBe(8 * 150);
    const { rows } = await database.pool.query<{ n: number }>(
      `select count(*)::integer as n from dlq.entry e where starts_with(work_key, 'race-')
         and attempts <> (select count(*) from dlq.occurrence o where o.entry_id = e.id)`,
    );
    expect(rows[0]?.n).toBe(0);
  });

  test('cost the memory of a chunk, however long the body is', async () => {
    const lines = 300;
    const no_json = Buffer.alloc(1_000_000, 'x');
    no_json[no_json.length - 1] = 0x0a;
    let sent = 0;
    let most = 0;
    const before = heldBytes();
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.enqueue(Buffer.from(no_json));
        sent += 1;
        if (sent % 50 === 0) most = Math.max(most, heldBytes());
        if (sent === lines) controller.close();
      },
    });
    const { text } = await send(POST, { headers: { 'content-type': 'application/x-ndjson' }, body });
    expect(text.trim().split('\n')).toHaveLength(lines);
    // of 300 MB: two chunks as bytes and text, and what the collector has not come to
    expect(most - before).toBeLessThan(75_000_000);
  });
});
