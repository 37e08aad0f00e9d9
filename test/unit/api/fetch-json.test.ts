import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { ApiError } from '@/lib/api/api-error';
import { fetchJson } from '@/lib/api/fetch-json';

const schema = z.object({ total: z.number() });
let server: Server;
let origin: string;
const seen: { method?: string; type?: string; body: string }[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.url === '/never') return;
    if (request.url === '/half') {
      response.writeHead(200, { 'content-length': '100' });
      response.write('{"total":');
      response.destroy();
      return;
    }
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      seen.push({ method: request.method ?? '', type: request.headers['content-type'] ?? '', body });
      const [status, text] = ANSWERS[request.url ?? ''] ?? [500, '<html>Bad gateway</html>'];
      response.writeHead(status).end(text);
    });
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const ANSWERS: Record<string, [number, string]> = {
  '/good': [200, '{"total":3,"more":true}'],
  '/other': [200, '{"total":"3"}'],
  '/empty': [200, ''],
  '/refused': [
    400,
    '{"error":{"code":"bad_request","message":"limit takes a number","details":{"parameter":"limit"}}}',
  ],
  '/down': [503, '{"error":{"code":"database_unavailable","message":"try again"}}'],
  '/strange': [418, '{"error":{"code":"teapot","message":"?"}}'],
};

async function failure(work: Promise<unknown>): Promise<ApiError> {
  const error = await work.then(
    () => new Error('it succeeded'),
    (reason: unknown) => reason,
  );
  if (error instanceof ApiError) return error;
  throw error;
}

describe('fetchJson', () => {
  test('gives what the contract says of the answer', async () => {
    expect(await fetchJson(schema, `${origin}/good`)).toEqual({ total: 3 });
    expect(seen.at(-1)).toEqual({ method: 'GET', type: '', body: '' });
  });

  test('sends a body as JSON', async () => {
    await fetchJson(schema, `${origin}/good`, { method: 'POST', body: { a: 1 } });
    expect(seen.at(-1)).toEqual({ method: 'POST', type: 'application/json', body: '{"a":1}' });
  });

  test("throws the server's own code, message and details", async () => {
    expect(await failure(fetchJson(schema, `${origin}/refused`))).toMatchObject({
      code: 'bad_request',
      status: 400,
      message: 'limit takes a number',
      details: { parameter: 'limit' },
      is_transient: false,
    });
    expect(await failure(fetchJson(schema, `${origin}/down`))).toMatchObject({
      code: 'database_unavailable',
      is_transient: true,
    });
  });

  test('says where an answer does not follow the contract', async () => {
    expect(await failure(fetchJson(schema, `${origin}/other`))).toMatchObject({
      code: 'bad_answer',
      message: expect.stringContaining('at total'),
    });
    expect(await failure(fetchJson(schema, `${origin}/empty`))).toMatchObject({ code: 'bad_answer' });
    for (const path of ['/strange', '/gateway'])
      expect(await failure(fetchJson(schema, origin + path))).toMatchObject({
        code: 'bad_answer',
        message: expect.stringContaining('without saying why'),
      });
  });

  test('says that no answer came, before it or in the middle of it', async () => {
    expect(await failure(fetchJson(schema, 'http://127.0.0.1:1/'))).toMatchObject({
      code: 'network',
      status: 0,
      is_transient: true,
    });
    expect(await failure(fetchJson(schema, `${origin}/half`))).toMatchObject({ code: 'network' });
  });

  test('throws the abort reason of a request that nobody waits for any more', async () => {
    const controller = new AbortController();
    const asked = fetchJson(schema, `${origin}/never`, { signal: controller.signal });
    controller.abort();
    await expect(asked).rejects.toMatchObject({ name: 'AbortError' });
  });
});
