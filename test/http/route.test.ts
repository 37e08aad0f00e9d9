import { Writable } from 'node:stream';
import pino from 'pino';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { closePool } from '@/db/client';
import { DlqError, ERROR_CODES } from '@/lib/contract/error';
import { filterFromSearch } from '@/lib/contract/filter';
import { errorResponse, STATUS } from '@/lib/http/errors';
import { route } from '@/lib/http/route';
import { send } from '@/test/support/http';

// Nothing here asks the database: the pool is made and never connects.
vi.stubEnv('DATABASE_URL', 'postgres://nobody@127.0.0.1:1/none');
vi.stubEnv('DLO_LOG_LEVEL', 'silent');
afterEach(closePool);

const echo = route(
  { role: 'operator', body: 'json', schema: z.strictObject({ a: z.number() }) },
  async ({ body }) => body,
);
const read = route({ role: 'viewer' }, async () => ({ read: true }));
const bare = route({ role: 'operator' }, async () => ({ done: true }));

const failing = (error: unknown) =>
  route({ role: 'viewer' }, async () => {
    throw error;
  });

describe('a write', () => {
  const own = 'http://localhost:3000';
  const cases: [origin: string | null, site: string | null, status: number][] = [
    [null, null, 200],
    [own, 'same-origin', 200],
    [own, null, 200],
    ['https://localhost:3000', null, 200],
    [null, 'same-origin', 200],
    [null, 'none', 200],
    ['null', null, 403],
    ['null', 'same-origin', 403],
    ['https://evil.example', null, 403],
    ['https://evil.example', 'cross-site', 403],
    ['https://evil.example', 'same-origin', 403],
    ['http://localhost:3001', null, 403],
    ['http://localhost:3001', 'same-site', 403],
    ['http://localhost', null, 403],
    ['http://localhost:3000.evil.example', null, 403],
    ['http://localhost:3000/', null, 403],
    ['', null, 403],
    [null, 'cross-site', 403],
    [null, 'same-site', 403],
    [own, 'cross-site', 403],
  ];
  const methods = ['POST', 'PUT', 'PATCH', 'DELETE'];
  test.each(methods.flatMap((method) => cases.map((one) => [method, ...one] as const)))(
    '%s with Origin %s and Sec-Fetch-Site %s answers %i',
    async (method, origin, site, status) => {
      const headers: Record<string, string> = {};
      if (origin !== null) headers.origin = origin;
      if (site !== null) headers['sec-fetch-site'] = site;
      const answer = await send(bare, { method, headers });
      expect(answer.status).toBe(status);
      if (status === 403) expect(answer.json).toMatchObject({ error: { code: 'forbidden' } });
    },
  );

  test('a page elsewhere may link to a read', async () =>
    expect((await send(read, { headers: { 'sec-fetch-site': 'cross-site' } })).status).toBe(200));

  test('behind a proxy that says https, an origin of plain http is another one', async () => {
    const headers = { origin: own, 'x-forwarded-proto': 'https' };
    expect((await send(bare, { method: 'POST', headers })).status).toBe(403);
  });

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', ''])(
    'of the media type “%s” is refused: a form can send it',
    async (type) => {
      const sent = { body: '{"a":1}', headers: { 'content-type': type } };
      const answer = await send(echo, sent);
      expect(answer.status).toBe(415);
      if (type !== '') expect((await send(bare, sent)).status).toBe(415);
    },
  );

  test('takes JSON with a charset', async () => {
    const headers = { 'content-type': 'Application/JSON; charset=utf-8' };
    expect((await send(echo, { body: { a: 1 }, headers })).json).toEqual({ a: 1 });
  });
});

describe('the Host', () => {
  test.each(['localhost', 'localhost:3000', '127.0.0.1:80', '[::1]:3000', 'LOCALHOST:5'])('%s is ours', async (host) =>
    expect((await send(read, { headers: { host } })).status).toBe(200),
  );
  test.each([
    'evil.example',
    'localhost.evil.example',
    'localhost@evil.example',
    '127.0.0.1.nip.io:3000',
    'x',
    '[::2]',
  ])('%s is refused for reads too: its page could read the answer', async (host) => {
    const answer = await send(read, { headers: { host } });
    expect(answer.status).toBe(403);
    expect(answer.json).toMatchObject({ error: { code: 'forbidden', message: expect.stringContaining(host) } });
  });
});

describe('who asks', () => {
  test('an operator on loopback may not do what takes an admin', async () => {
    const admin = route({ role: 'admin' }, async () => ({}));
    const answer = await send(admin);
    expect(answer.status).toBe(403);
    expect(answer.json).toMatchObject({ error: { message: expect.stringContaining('admin') } });
  });
});

describe('a body', () => {
  test('over the limit is refused at once by its Content-Length, naming the limit', async () => {
    const answer = await send(echo, { body: '{"a":1}', headers: { 'content-length': '2000001' } });
    expect(answer.status).toBe(413);
    expect(answer.json).toMatchObject({ error: { code: 'too_large', message: expect.stringContaining('2000000') } });
  });

  test('over the limit is refused while it streams, and not much more of it is read', async () => {
    let pulled = 0;
    let cancelled = false;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled += 1;
        controller.enqueue(Buffer.alloc(100_000, ' '));
      },
      cancel() {
        cancelled = true;
      },
    });
    expect((await send(echo, { body })).status).toBe(413);
    await vi.waitFor(() => expect(cancelled).toBe(true));
    expect(pulled).toBeLessThan(350);
  });

  test('that nests deeper than 64 is refused, also where it has two million levels', async () => {
    const nested = (depth: number) => `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`;
    expect((await send(echo, { body: nested(64) })).json).toMatchObject({
      error: { message: expect.stringContaining('65') },
    });
    expect((await send(echo, { body: nested(900_000) })).status).toBe(400);
    // brackets in a string are text
    expect((await send(echo, { body: `{"a":"${'['.repeat(100)}"}` })).json).toMatchObject({
      error: { message: expect.stringMatching(/^a: /) },
    });
  });

  test('with __proto__ changes no prototype', async () => {
    const open = route({ role: 'viewer', body: 'json' }, async ({ body }) => ({
      own: Object.keys(body as object),
      polluted: ({} as Record<string, unknown>).admin ?? null,
      inherited: (body as Record<string, unknown>).admin ?? null,
    }));
    const body = '{"__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}}}';
    expect((await send(open, { body })).json).toEqual({
      own: ['__proto__', 'constructor'],
      polluted: null,
      inherited: null,
    });
    expect((await send(echo, { body })).status).toBe(400);
  });

  test('that is no JSON, not UTF-8, packed or of another shape is refused with the reason', async () => {
    expect((await send(echo, { body: '{"a":' })).status).toBe(400);
    expect((await send(echo, { body: Uint8Array.from([0x22, 0xff, 0x22]) })).json).toMatchObject({
      error: { message: expect.stringContaining('UTF-8') },
    });
    expect((await send(echo, { body: 'x', headers: { 'content-encoding': 'br' } })).json).toMatchObject({
      error: { code: 'unsupported_media_type', message: expect.stringContaining('gzip') },
    });
    expect((await send(echo, { body: { a: 'one' } })).json).toMatchObject({
      error: { message: expect.stringMatching(/^a: /) },
    });
  });
});

describe('an error', () => {
  test.each(ERROR_CODES)('%s has its status in the one map', async (code) => {
    const answer = await send(failing(new DlqError(code, 'because', code === 'internal' ? undefined : { x: 1 })));
    expect(answer.status).toBe(STATUS[code]);
    expect(answer.json).toMatchObject({ error: { code, message: 'because' } });
  });

  test('of a filter is a 400 that names the parameter', async () => {
    const filtered = route({ role: 'viewer', search: filterFromSearch }, async ({ search }) => search);
    expect((await send(filtered, { path: '/?task_name=a&task_name=b' })).json).toEqual({ task_name: ['a', 'b'] });
    const answer = await send(filtered, { path: '/?mappable=perhaps' });
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({ error: { code: 'bad_request', details: { parameter: 'mappable' } } });
  });

  test('that nobody foresaw says nothing but its request id', async () => {
    const answer = await send(failing(new Error('password=hunter2 at POINT(8.1 50.2)')), {
      headers: { 'x-request-id': 'trace-12345' },
    });
    expect(answer.status).toBe(500);
    expect(answer.text).not.toMatch(/hunter2|POINT/);
    expect(answer.json).toMatchObject({ error: { code: 'internal', details: { request_id: 'trace-12345' } } });
    expect((await send(failing('a thrown string'))).status).toBe(500);
    expect((await send(failing(undefined))).status).toBe(500);
  });

  const withCode = (code: string) => Object.assign(new Error('x'), { code });
  test.each([
    ['a refused connection', withCode('ECONNREFUSED'), 503],
    ['both addresses refused', new AggregateError([withCode('ECONNREFUSED')]), 503],
    ['a shutdown', new Error('Failed query', { cause: withCode('57P01') }), 503],
    ['a crash', withCode('57P02'), 503],
    ['a start', withCode('57P03'), 503],
    ['a connection exception', withCode('08006'), 503],
    ['a full disk', withCode('53100'), 503],
    ['a cut connection', new Error('Connection terminated unexpectedly'), 503],
    ['no free connection', new Error('timeout exceeded when trying to connect'), 503],
    ['a statement that took too long', new Error('Failed query', { cause: withCode('57014') }), 504],
    ['a query without answer', new Error('Query read timeout'), 504],
    ['a deadlock', withCode('40P01'), 409],
    ['a value that text cannot hold', withCode('22021'), 400],
    ['a broken statement', withCode('42601'), 500],
  ])('of the database, %s, has its own status', async (_, error, status) => {
    const answer = await send(failing(error));
    expect(answer.status).toBe(status);
    if (status >= 503) expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  test('keeps the details of a conflict', async () =>
    expect(await errorResponse(new DlqError('conflict', 'taken', { by: 'ann' }), 'r').json()).toEqual({
      error: { code: 'conflict', message: 'taken', details: { by: 'ann' } },
    }));
});

describe('an answer', () => {
  test('is not stored, sniffed, framed or run', async () => {
    const { headers } = await send(read);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(headers.get('x-request-id')).toMatch(/^[\w-]{36}$/);
    const failed = await send(failing(new Error('x')));
    expect(failed.headers.get('cache-control')).toBe('no-store');
  });

  test('that is a Response keeps its status, type and caching', async () => {
    const tile = route(
      { role: 'viewer' },
      async () => new Response('x', { status: 201, headers: { 'cache-control': 'max-age=60' } }),
    );
    const answer = await send(tile);
    expect([answer.status, answer.headers.get('cache-control'), answer.text]).toEqual([201, 'max-age=60', 'x']);
    const moved = route({ role: 'viewer' }, async () => Response.redirect('http://localhost:3000/x', 303));
    expect((await send(moved)).headers.get('location')).toBe('http://localhost:3000/x');
  });
});

test('the log names the route and what it cost, and no coordinate, key, query value or payload', async () => {
  const lines: string[] = [];
  const sink = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  const key = Symbol.for('dead-letter-office.log');
  const shared = globalThis as { [key]?: pino.Logger };
  const before = shared[key];
  shared[key] = pino(sink);
  try {
    const statement = new Error('Failed query: select $1\nparams: secret-parcel,51.477', {
      cause: Object.assign(new Error('invalid input "secret-parcel" near 51.477'), { code: '42P18' }),
    });
    await send(failing(statement), {
      path: '/api/tiles/14/8190/5447/secret-parcel?q=secret-parcel',
      params: { z: '14', x: '8190', y: '5447', key: 'secret-parcel' },
    });
  } finally {
    shared[key] = before;
  }
  const written = lines.join('');
  expect(written).toContain('/api/tiles/{z}/{x}/{y}/{key}');
  expect(written).toContain('"status":500');
  expect(written).toContain('42P18');
  expect(written).not.toMatch(/secret-parcel|8190|51\.477/);
});
