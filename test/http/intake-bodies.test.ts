import { connect, type Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createGzip, constants as flags, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { closePool } from '@/db/client';
import { cloneDatabase, type TestDatabase } from '@/test/support/database';
import { serveRoutes } from '@/test/support/serve-routes';

let database: TestDatabase;
let server: Awaited<ReturnType<typeof serveRoutes>>;
beforeAll(async () => {
  database = await cloneDatabase();
  vi.stubEnv('DATABASE_URL', database.url);
  vi.stubEnv('DLO_LOG_LEVEL', 'silent');
  vi.stubEnv('DLO_INTAKE_IDLE_S', '0.4');
  const { POST } = await import('@/app/api/dead-letters/route');
  server = await serveRoutes([{ method: 'POST', path: '/api/dead-letters', handler: POST }]);
});
afterAll(async () => {
  await server.close();
  await closePool();
  await database.drop();
});

const ndjson = { 'content-type': 'application/x-ndjson' };
const line = (work_key: string, more: Record<string, unknown> = {}) =>
  JSON.stringify({ work_key, task_name: 'bodies', ...more });
const lines = (prefix: string, count: number) => Array.from({ length: count }, (_, i) => line(`${prefix}-${i}`));

async function post(body: string | Uint8Array, headers: Record<string, string> = {}) {
  const answer = await fetch(`${server.url}/api/dead-letters`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: body as BodyInit,
  });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}
const packed = (body: string | Uint8Array, headers: Record<string, string> = {}) =>
  post(body, { 'content-encoding': 'gzip', ...headers });
const answersIn = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((one) => JSON.parse(one) as Record<string, unknown>);

async function storedKeys(prefix: string): Promise<number> {
  const { rows } = await database.pool.query<{ n: number }>(
    'select count(*)::integer as n from dlq.entry where starts_with(work_key, $1::text)',
    [prefix],
  );
  return rows[0]?.n ?? 0;
}

/** Resolves when as many are stored. */
async function untilStored(prefix: string, count: number): Promise<void> {
  while ((await storedKeys(prefix)) !== count) {
    // asked again: the database is what tells
  }
}

describe('a gzip body', () => {
  test('is taken as what it unpacks to: one capture, many lines, several members', async () => {
    expect((await packed(gzipSync(line('gzip-one')))).text).toContain('"outcome":"created"');
    const members = [0, 1].map((i) => gzipSync(`${lines(`gzip-many-${i}`, 700).join('\n')}\n`));
    const answers = answersIn((await packed(Buffer.concat(members), ndjson)).text);
    expect(answers).toHaveLength(1400);
    expect(answers.every(({ outcome }) => outcome === 'created')).toBe(true);
    expect(answers[1399]).toMatchObject({ work_key: 'gzip-many-1-699' });
    expect((await packed(gzipSync(line('gzip-x')), { 'content-encoding': 'GZIP' })).status).toBe(200);
    expect((await packed(gzipSync(''), ndjson)).text).toBe('');
  });

  test('that unpacks to more than the limit is broken off with 413, whatever its Content-Length says, and costs no memory', async () => {
    setFlagsFromString('--expose_gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    const bomb = gzipSync(Buffer.alloc(120_000_000, ' '));
    expect(bomb.length).toBeLessThan(200_000);
    collectGarbage();
    const before = process.memoryUsage().rss;
    const answer = await packed(bomb);
    const grown = process.memoryUsage().rss - before;
    expect(answer.status).toBe(413);
    expect(JSON.parse(answer.text)).toMatchObject({
      error: {
        code: 'too_large',
        message: expect.stringMatching(/33000000 bytes.*\/api\/blobs\/\{sha256\}.*NDJSON/),
        details: { max_body_bytes: 33_000_000 },
      },
    });
    expect(grown).toBeLessThan(200_000_000);
  });

  test('that is cut off, damaged, followed by something else or no gzip at all is refused as that', async () => {
    const whole = gzipSync(line('gzip-broken'));
    const damaged = Buffer.from(whole);
    damaged[damaged.length - 6] = (damaged[damaged.length - 6] as number) ^ 1;
    for (const [body, reason] of [
      [whole.subarray(0, -5), 'cut off'],
      [whole.subarray(0, 3), 'cut off'],
      [damaged, 'no sound gzip'],
      [Buffer.concat([whole, Buffer.from(line('gzip-broken'))]), 'no sound gzip'],
      [line('gzip-broken'), 'no sound gzip'],
    ] as const) {
      const answer = await packed(body);
      expect([answer.status, answer.text]).toEqual([400, expect.stringContaining(reason)]);
    }
    expect((await packed(gzipSync(lines('gzip-broken', 2).join('\n')).subarray(0, 12), ndjson)).status).toBe(400);
    expect(await storedKeys('gzip-broken')).toBe(0);
  });

  test('of lines that is cut off: the whole lines before are stored and answered, and a last line says what broke', async () => {
    const pieces: Buffer[] = [];
    const gzip = createGzip();
    gzip.on('data', (piece: Buffer) => pieces.push(piece));
    await new Promise<void>((resolve) => {
      gzip.write(`${lines('gzip-cut', 1203).join('\n')}\n${line('gzip-cut-half').slice(0, 20)}`);
      gzip.flush(flags.Z_SYNC_FLUSH, () => resolve());
    });
    const answers = answersIn((await packed(Buffer.concat(pieces), ndjson)).text);
    expect(answers).toHaveLength(1204);
    expect(answers.slice(0, 1203).every(({ outcome }) => outcome === 'created')).toBe(true);
    expect(answers[1203]).toEqual({
      line: 0,
      error: { code: 'bad_request', message: expect.stringContaining('cut off') },
    });
    expect(await storedKeys('gzip-cut')).toBe(1203);
  });

  test.each(['br', 'deflate', 'zstd', 'gzip, gzip', 'x'])(
    'packed as “%s” is refused, naming what is taken',
    async (encoding) => {
      const answer = await post(line('other'), { 'content-encoding': encoding });
      expect(answer.status).toBe(415);
      expect(answer.text).toMatch(/as it is, or as gzip/);
    },
  );
});

describe('a body over the limit', () => {
  test('says limit, size and what to do', async () => {
    const body = `${line('over').slice(0, -1)},"error_text":"${'x'.repeat(33_000_000)}"}`;
    const answer = await post(body);
    expect(answer.status).toBe(413);
    expect(JSON.parse(answer.text)).toMatchObject({
      error: {
        message: expect.stringMatching(
          new RegExp(`33000000 bytes: it has ${body.length}; .*PUT /api/blobs/{sha256}.*payload_ref.*NDJSON`),
        ),
        details: { max_body_bytes: 33_000_000, body_bytes: body.length },
      },
    });
    const [first, second] = answersIn((await post(`${body}\n${line('over-next')}`, ndjson)).text);
    expect(first).toMatchObject({ line: 1, error: { code: 'too_large' } });
    for (const said of ['33000000', String(body.length), 'payload_ref']) expect(JSON.stringify(first)).toContain(said);
    expect(second).toMatchObject({ outcome: 'created' });
  });
});

/** A connection by hand: what was answered until the server or the test ends it. */
function byHand(head: string): { socket: Socket; answer: Promise<string> } {
  const socket = connect(server.port, '127.0.0.1');
  const answer = new Promise<string>((resolve) => {
    let text = '';
    socket.on('data', (piece) => {
      text += piece;
      if (text.endsWith('\r\n0\r\n\r\n')) resolve(text);
    });
    socket.on('error', () => resolve(text));
    socket.on('close', () => resolve(text));
  });
  socket.write(`POST /api/dead-letters HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n${head}\r\n\r\n`);
  return { socket, answer };
}
const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;

test('a sender that reads nothing before it has sent everything reads why it was refused', async () => {
  const { socket, answer } = byHand('Content-Type: application/json');
  socket.pause();
  const piece = chunk('x'.repeat(1_000_000));
  for (let i = 0; i < 50; i++) await new Promise<void>((resolve) => socket.write(piece, () => resolve()));
  socket.resume();
  expect(await answer).toContain('HTTP/1.1 413');
  socket.destroy();
});

describe('a body that stops coming', () => {
  test('is broken off with 408', async () => {
    const { socket, answer } = byHand('Content-Type: application/json');
    socket.write(chunk(line('slow').slice(0, 10)));
    const text = await answer;
    socket.destroy();
    expect(text).toContain('HTTP/1.1 408');
    expect(text).toContain('request_timeout');
    expect(text).toContain('stopped coming');
    expect(await storedKeys('slow')).toBe(0);
  });

  test('or trickles, a byte now and then, is broken off too', async () => {
    const { socket, answer } = byHand('Content-Type: application/json');
    const trickle = setInterval(() => socket.write(chunk(' ')), 50);
    const text = await answer;
    clearInterval(trickle);
    socket.destroy();
    expect(text).toContain('HTTP/1.1 408');
  });

  test('in lines: the whole ones are stored and answered', async () => {
    const { socket, answer } = byHand('Content-Type: application/x-ndjson');
    socket.write(chunk(`${lines('slow-lines', 3).join('\n')}\n${line('slow-lines-half').slice(0, 12)}`));
    const text = await answer;
    socket.destroy();
    expect(text).toContain('HTTP/1.1 200');
    expect(text.match(/"outcome":"created"/g)).toHaveLength(3);
    expect(text).toContain('"line":0,"error":{"code":"request_timeout"');
    expect(await storedKeys('slow-lines')).toBe(3);
  });

  test('since its sender is gone: the whole lines that came are stored', async () => {
    const { socket } = byHand('Content-Type: application/x-ndjson');
    await new Promise<void>((resolve) => {
      socket.write(chunk(`${lines('gone', 7).join('\n')}\n{"work`), () => resolve());
    });
    socket.destroy();
    await untilStored('gone', 7);
  });
});
