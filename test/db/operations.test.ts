import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { PreviewRequest } from '@/lib/contract/operation';
import { csvField } from '@/lib/dead-letter/csv-field';
import { captureOne } from '@/lib/ingest/capture-one';
import { getOperation } from '@/lib/operations/get-operation';
import { listItems } from '@/lib/operations/list-items';
import { previewOperation } from '@/lib/operations/preview-operation';
import { startOperation } from '@/lib/operations/start-operation';
import { cancelOperation, pauseOperation, resumeOperation } from '@/lib/operations/steer-operation';
import { stepOperations } from '@/lib/operations/step-operations';
import { cloneDatabase, type TestDatabase } from '../support/database';
import { lockWaits } from '../support/lock-waits';

/** A pipeline that answers by the work key: `fix-…`, `fail-…` (captures the failure again first), `refuse-…`. */
let pipeline: Server;
let received: { key: string | undefined; attempt: string }[] = [];
let database: TestDatabase;
let ctx: { db: TestDatabase['db']; actor: { name: string; role: 'operator' } };

async function answer(body: { work_key: string; attempt_id: string; task_name: string }): Promise<[number, object]> {
  if (body.work_key.startsWith('fix-')) return [200, { outcome: 'succeeded' }];
  if (body.work_key.startsWith('refuse-')) return [422, { outcome: 'rejected', message: 'no such parcel' }];
  await capture(body.work_key, { task_name: body.task_name, attempt_id: body.attempt_id, error_text: 'again' });
  return [200, { outcome: 'failed', message: 'again' }];
}

/** A port that nobody listens on: connections are refused. */
async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const capture = (work_key: string, given: object = {}) =>
  captureOne(ctx, {
    text: JSON.stringify({
      work_key,
      task_name: 'clip',
      code_version: '1.0',
      params: { snap: 1 },
      error_text: 'first',
      ...given,
    }),
    via: 'http',
  });

beforeAll(async () => {
  database = await cloneDatabase();
  ctx = { db: database.db, actor: { name: 'ann', role: 'operator' } };
  pipeline = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', async () => {
      const body = JSON.parse(Buffer.concat(chunks).toString());
      received.push({ key: request.headers['idempotency-key'] as string | undefined, attempt: body.attempt_id });
      const [status, said] = await answer(body);
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(said));
    });
  });
  await new Promise<void>((resolve) => pipeline.listen(0, '127.0.0.1', resolve));
  const { port } = pipeline.address() as AddressInfo;
  vi.stubEnv('DATABASE_URL', database.url);
  vi.stubEnv(
    'DLO_TARGETS',
    JSON.stringify({
      pipeline: { type: 'webhook', url: `http://127.0.0.1:${port}/`, secret: 's' },
      away: { type: 'webhook', url: `http://127.0.0.1:${await closedPort()}/`, secret: 's' },
    }),
  );
  const schema = {
    type: 'object',
    properties: { snap: { type: 'number' } },
    required: ['snap'],
    additionalProperties: false,
  };
  await database.pool.query(
    `insert into dlq.task (task_name, code_versions, params_schema, target, updated_by)
     values ('clip', '{1.0}', $1, 'pipeline', 'test'), ('far', '{1.0}', $1, 'away', 'test')`,
    [schema],
  );
});
afterAll(async () => {
  await database?.drop();
  pipeline?.close();
});
afterEach(() => {
  received = [];
});

const work = async (id: string, worker = 'w1') => {
  const never = new AbortController().signal;
  // a worker whose turn it is not comes round often: what is bounded is the time
  for (const until = Date.now() + 50_000; Date.now() < until; ) {
    await stepOperations(database.db, worker, never);
    const operation = await getOperation(ctx, id);
    if (operation.state !== 'running') return operation;
  }
  throw new Error('the operation did not come to an end');
};
const preview = (action: PreviewRequest['action'], prefix: string) =>
  previewOperation(ctx, { action, filter: { work_key: prefix, state: ['any'] } });
const start = async (preview_id: string, given: object = {}) =>
  startOperation(ctx, { preview_id, reason: 'because', rate_per_s: 500, ...given });
const entries = async (prefix: string) =>
  (
    await database.pool.query(
      `select e.work_key, s.state, s.resolution, e.attempts, s.redrive_attempts from dlq.entry e join dlq.state s on s.entry_id = e.id
       where e.work_key like $1 order by e.work_key`,
      [`${prefix}%`],
    )
  ).rows;

describe('a preview', () => {
  test('freezes the set, lists what it leaves out by reason, and changes nothing', async () => {
    await capture('fix-a1');
    await capture('fix-a2', { code_version: '0.9' });
    await capture('fix-a3', { params: {} });
    await capture('fix-a4', { task_name: 'unregistered' });
    await capture('fix-a5', { params: { snap: 1, more: 2 } });
    await database.pool.query(
      "update dlq.state set state = 'quarantined', version = version + 1 where entry_id = (select id from dlq.entry where work_key = 'fix-a1')",
    );
    await capture('fix-a6');
    const before = await entries('fix-a');
    const frozen = await preview('redrive', 'fix-a');
    expect(frozen.eligible).toBe(1);
    expect(frozen.skipped.map((skip) => [skip.reason, skip.count]).sort()).toEqual([
      ['extra_param', 1],
      ['missing_param', 1],
      ['no_manifest', 1],
      ['quarantined', 1],
      ['unknown_code_version', 1],
    ]);
    expect(frozen.sample.map((one) => one.work_key)).toEqual(['fix-a6']);
    expect(frozen.targets).toEqual([{ task_name: 'clip', target: 'pipeline', count: 1 }]);
    expect(await entries('fix-a')).toEqual(before);
    expect(received).toEqual([]);
  });

  test('of a filter without a condition is refused', async () => {
    await expect(previewOperation(ctx, { action: 'abandon', filter: {} })).rejects.toMatchObject({
      code: 'bad_request',
    });
  });

  test('is started once: the same preview posted again answers the same operation', async () => {
    await capture('fix-b1');
    const frozen = await preview('redrive', 'fix-b');
    const first = await start(frozen.preview_id);
    const second = await start(frozen.preview_id, { reason: 'again' });
    expect(second).toMatchObject({ id: first.id, reason: 'because' });
    await work(first.id);
    expect(received).toHaveLength(1);
  });

  test('over a hundred entries takes the count typed back', async () => {
    await Promise.all(Array.from({ length: 101 }, (_, index) => capture(`fix-c${index}`)));
    const frozen = await preview('abandon', 'fix-c');
    await expect(start(frozen.preview_id)).rejects.toMatchObject({ code: 'unprocessable' });
    await expect(start(frozen.preview_id, { confirm: 100 })).rejects.toThrow('100 is not 101');
    const done = await work((await start(frozen.preview_id, { confirm: 101 })).id);
    expect(done).toMatchObject({ state: 'finished', outcomes: { applied: 101 } });
  });

  test('of ids says how many of them there are not', async () => {
    await capture('fix-named');
    const [{ id }] = (await database.pool.query("select id::text from dlq.entry where work_key = 'fix-named'")).rows;
    const frozen = await previewOperation(ctx, { action: 'abandon', ids: [id, id, '999999998', '999999999'] });
    expect(frozen).toMatchObject({ matched: 1, eligible: 1, skipped: [{ reason: 'not_found', count: 2 }] });
  });

  test('with nothing eligible cannot be started', async () => {
    await capture('fix-d1', { task_name: 'unregistered' });
    const frozen = await preview('redrive', 'fix-d');
    await expect(start(frozen.preview_id)).rejects.toMatchObject({ code: 'unprocessable' });
  });

  test('too old is refused', async () => {
    await capture('fix-old');
    const frozen = await preview('abandon', 'fix-old');
    await database.pool.query(
      "update dlq.operation set expires_at = now() - interval '1 second' where preview_id = $1",
      [frozen.preview_id],
    );
    await expect(start(frozen.preview_id)).rejects.toMatchObject({ code: 'conflict' });
  });
});

describe('a state change in bulk', () => {
  test('abandons with its reason, and leaves what changed since the preview', async () => {
    await capture('fix-e1');
    await capture('fix-e2');
    const frozen = await preview('abandon', 'fix-e');
    await capture('fix-e2');
    await capture('fix-e3');
    const done = await work((await start(frozen.preview_id)).id);
    expect(done.outcomes).toMatchObject({ applied: 1, skipped: 1, waiting: 0 });
    expect(done.skipped).toEqual([{ reason: 'changed_since', detail: null, count: 1 }]);
    expect(await entries('fix-e')).toMatchObject([
      { work_key: 'fix-e1', state: 'resolved', resolution: 'abandoned' },
      { work_key: 'fix-e2', state: 'open' },
      { work_key: 'fix-e3', state: 'open' },
    ]);
    const { rows } = await database.pool.query(
      "select actor, reason, operation_id from dlq.event where to_state = 'resolved' and entry_id = (select id from dlq.entry where work_key = 'fix-e1')",
    );
    expect(rows).toEqual([{ actor: 'ann', reason: 'because', operation_id: done.id }]);
  });

  test('quarantines and reopens', async () => {
    await capture('fix-f1');
    await work((await start((await preview('quarantine', 'fix-f')).preview_id)).id);
    expect(await entries('fix-f')).toMatchObject([{ state: 'quarantined' }]);
    await work((await start((await preview('reopen', 'fix-f')).preview_id)).id);
    expect(await entries('fix-f')).toMatchObject([{ state: 'open' }]);
  });
});

describe('a redrive in bulk', () => {
  test('resolves what was fixed, opens what failed again with its attempts raised, and keeps one key for every try', async () => {
    for (const key of ['fix-g1', 'fail-g1', 'refuse-g1']) await capture(key);
    const ids = (await database.pool.query("select id::text from dlq.entry where work_key like '%-g1'")).rows.map(
      (row) => row.id,
    );
    const frozen = await previewOperation(ctx, { action: 'redrive', ids });
    expect(frozen.eligible).toBe(3);
    const done = await work((await start(frozen.preview_id)).id);
    expect(done).toMatchObject({
      state: 'finished',
      outcomes: { fixed: 1, failed_again: 1, rejected: 1, waiting: 0, in_flight: 0 },
    });
    expect(await entries('fix-g1')).toMatchObject([{ state: 'resolved', resolution: 'fixed', attempts: 1 }]);
    expect(await entries('fail-g1')).toMatchObject([{ state: 'open', attempts: 2, redrive_attempts: 1 }]);
    expect(await entries('refuse-g1')).toMatchObject([{ state: 'open', attempts: 1, redrive_attempts: 1 }]);
    expect(received.map((one) => one.key).sort()).toEqual(['fail-g1', 'fix-g1', 'refuse-g1']);
    const items = await listItems(ctx, { id: done.id, outcome: 'rejected', cursor: null, limit: 10 });
    expect(items.items).toMatchObject([{ work_key: 'refuse-g1', outcome: 'rejected' }]);
    expect(items.items[0]?.detail).toContain('no such parcel');
    const { rows } = await database.pool.query(
      "select to_state from dlq.event where entry_id = (select id from dlq.entry where work_key = 'fix-g1') order by id",
    );
    expect(rows.map((row) => row.to_state)).toEqual(['open', 'redriving', 'redriving', 'resolved']);
  });

  test('redriving what always fails ends at the cap, abandoned by name, and takes in nothing that failed later', async () => {
    await capture('fail-h1');
    for (let round = 0; round < 3; round++)
      await work((await start((await preview('redrive', 'fail-h')).preview_id)).id);
    expect(await entries('fail-h')).toMatchObject([
      { state: 'resolved', resolution: 'abandoned', attempts: 4, redrive_attempts: 3 },
    ]);
    expect(received).toHaveLength(3);
    expect((await preview('redrive', 'fail-h')).eligible).toBe(0);
  });

  test('pauses by itself when the canary does not hold, and goes on without it when told so', async () => {
    for (let index = 0; index < 5; index++) await capture(`fail-i${index}`);
    for (let index = 5; index < 12; index++) await capture(`fix-i${index}`);
    const ids = (await database.pool.query("select id::text from dlq.entry where work_key like '%-i%'")).rows.map(
      (row) => row.id,
    );
    const frozen = await previewOperation(ctx, { action: 'redrive', ids });
    const paused = await work((await start(frozen.preview_id, { canary: 5 })).id);
    expect(paused).toMatchObject({
      state: 'paused',
      paused_because: 'canary: fixed 0 of 5, under 80 %',
      outcomes: { waiting: 7, failed_again: 5 },
    });
    await resumeOperation(ctx, paused.id);
    expect(await work(paused.id)).toMatchObject({ state: 'finished', outcomes: { fixed: 7, failed_again: 5 } });
  });

  test('a target that is away burns nothing: the operation pauses, and its items wait', async () => {
    await capture('fix-j1', { task_name: 'far' });
    await capture('fix-j2', { task_name: 'far' });
    const paused = await work((await start((await preview('redrive', 'fix-j')).preview_id)).id);
    expect(paused).toMatchObject({ state: 'paused', outcomes: { waiting: 2, in_doubt: 0 } });
    expect(paused.paused_because).toMatch(/^nothing could be sent/);
    expect(await entries('fix-j')).toMatchObject([
      { state: 'open', redrive_attempts: 0 },
      { state: 'open', redrive_attempts: 0 },
    ]);
  });

  test('cancel leaves what waits as it is; pause and cancel of what is over are conflicts', async () => {
    for (let index = 0; index < 4; index++) await capture(`fix-k${index}`);
    const frozen = await preview('redrive', 'fix-k');
    const { id } = await start(frozen.preview_id, { rate_per_s: 2 });
    await stepOperations(database.db, 'w1', new AbortController().signal);
    await pauseOperation(ctx, id);
    const cancelled = await cancelOperation(ctx, id);
    expect(cancelled).toMatchObject({ state: 'cancelled', outcomes: { fixed: 2, cancelled: 2, waiting: 0 } });
    expect((await entries('fix-k')).map((entry) => entry.state).sort()).toEqual([
      'open',
      'open',
      'resolved',
      'resolved',
    ]);
    await expect(pauseOperation(ctx, id)).rejects.toMatchObject({ code: 'conflict' });
    await expect(cancelOperation(ctx, id)).rejects.toMatchObject({ code: 'conflict' });
  });

  /** Runs `meanwhile` while a worker is in the middle of a step: another's lock on an entry holds it there. */
  const amidStep = async (key: string, meanwhile: () => Promise<void>) => {
    const other = await database.pool.connect();
    try {
      await other.query('begin');
      await other.query(
        'select 1 from dlq.state where entry_id = (select id from dlq.entry where work_key = $1) for update',
        [key],
      );
      const step = stepOperations(database.db, 'w1', new AbortController().signal);
      await lockWaits(database.pool);
      const done = meanwhile();
      // a cancel is done at once, or waits for the step; then the lock goes
      await Promise.race([done, other.query('select pg_sleep(0.3)')]);
      await other.query('commit');
      await Promise.all([step, done]);
    } finally {
      other.release();
    }
  };
  const told = async (id: string) =>
    (await listItems(ctx, { id, outcome: null, cursor: null, limit: 100 })).items.map((item) => [
      item.work_key,
      item.outcome,
    ]);

  test('a cancel in the middle of a redrive’s step sends nothing that it says was cancelled', async () => {
    await capture('fix-x1');
    await capture('fix-x2');
    const { preview_id } = await preview('redrive', 'fix-x');
    const { id } = await start(preview_id);
    await amidStep('fix-x1', async () => void (await cancelOperation(ctx, id)));
    expect(received).toEqual([]);
    expect((await told(id)).sort()).toEqual([
      ['fix-x1', 'cancelled'],
      ['fix-x2', 'cancelled'],
    ]);
    expect((await entries('fix-x')).map((row) => row.state)).toEqual(['open', 'open']);
  });

  test('a cancel in the middle of a change says of every entry what became of it', async () => {
    await capture('fix-y1');
    const { preview_id } = await preview('abandon', 'fix-y');
    const { id } = await start(preview_id);
    await amidStep('fix-y1', async () => void (await cancelOperation(ctx, id)));
    const outcome = (await told(id))[0]?.[1];
    const state = (await entries('fix-y'))[0]?.state;
    expect([outcome, state]).toEqual(outcome === 'cancelled' ? ['cancelled', 'open'] : ['applied', 'resolved']);
  });

  test('paused and resumed in the middle of a step, no second worker takes the same entries', async () => {
    await capture('fix-z1');
    await capture('fix-z2');
    const { preview_id } = await preview('redrive', 'fix-z');
    const { id } = await start(preview_id);
    await amidStep('fix-z1', async () => {
      await pauseOperation(ctx, id);
      await resumeOperation(ctx, id);
      expect(await stepOperations(database.db, 'w2', new AbortController().signal)).toBe(0);
    });
    await work(id);
    expect(received.map(({ key }) => key).sort()).toEqual(['fix-z1', 'fix-z2']);
    expect((await getOperation(ctx, id)).outcomes.fixed).toBe(2);
  });

  test('counts entries that somebody was faster with under one reason, whenever it was', async () => {
    for (const key of ['fix-f1', 'fix-f2', 'fix-f3']) await capture(key);
    const slow = await preview('redrive', 'fix-f');
    for (const key of ['fix-f1', 'fix-f2', 'fix-f3'])
      await work((await start((await preview('abandon', key)).preview_id)).id);
    const done = await work((await start(slow.preview_id)).id);
    expect(done.skipped).toEqual([{ reason: 'resolved', detail: 'by ann', count: 3 }]);
    expect(received).toEqual([]);
  });

  test('two workers on one set send each entry once', async () => {
    await Promise.all(Array.from({ length: 60 }, (_, index) => capture(`fix-l${index}`)));
    const frozen = await preview('redrive', 'fix-l');
    const { id } = await start(frozen.preview_id, { rate_per_s: 20 });
    await Promise.all([work(id, 'w1'), work(id, 'w2')]);
    expect(received).toHaveLength(60);
    expect(new Set(received.map((one) => one.key)).size).toBe(60);
  });
});

test('a CSV field that a spreadsheet would run is made text', () => {
  expect(['=1+1', '@x', 'a,b', 'say "x"', 'plain', 3, null].map(csvField)).toEqual([
    '"\'=1+1"',
    '"\'@x"',
    '"a,b"',
    '"say ""x"""',
    'plain',
    '3',
    '',
  ]);
});
