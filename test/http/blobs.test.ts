import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { closePool } from '@/db/client';
import { blobResponse } from '@/lib/http/blob-response';
import type { RouteHandler } from '@/lib/http/route';
import { type BlobFolder, makeBlobFolder } from '@/test/support/blob-folder';
import { cloneDatabase, type TestDatabase } from '@/test/support/database';
import { type Received, send } from '@/test/support/http';
import { sha256Of } from '@/test/support/sha256-of';

let database: TestDatabase;
let blobs: BlobFolder;
let handlers: Record<'GET' | 'HEAD' | 'PUT', RouteHandler>;
beforeAll(async () => {
  database = await cloneDatabase();
  blobs = makeBlobFolder();
  vi.stubEnv('DATABASE_URL', database.url);
  vi.stubEnv('DLO_LOG_LEVEL', 'silent');
  vi.stubEnv('DLO_MAX_BLOB_BYTES', '3000000');
  handlers = await import('@/app/api/blobs/[sha256]/route');
});
afterAll(async () => {
  await closePool();
  await database.drop();
  blobs.remove();
});

const put = (sha256: string, body: unknown, headers: Record<string, string> = {}): Promise<Received> =>
  send(handlers.PUT, {
    method: 'PUT',
    params: { sha256 },
    headers: { 'content-type': 'application/octet-stream', ...headers },
    body,
  });

async function get(sha256: string, method: 'GET' | 'HEAD' = 'GET'): Promise<Response> {
  const request = new Request('http://localhost:3000/', { method, headers: { host: 'localhost:3000' } });
  return handlers[method](request, { params: Promise.resolve({ sha256 }) });
}

const row = async (sha256: string) =>
  (
    await database.pool.query<{ size_bytes: string | null; stored_at: Date | null; last_put_at: Date }>(
      `select size_bytes, stored_at, last_put_at from dlq.blob where sha256 = decode($1, 'hex')`,
      [sha256],
    )
  ).rows[0];

describe('a blob', () => {
  test('is stored under its hash, and given back as a file', async () => {
    const bytes = randomBytes(2_000_000);
    const sha256 = sha256Of(bytes);
    const stored = await put(sha256, bytes);
    expect([stored.status, stored.json]).toEqual([201, { sha256, size_bytes: 2_000_000, created: true }]);
    const first = await row(sha256);
    expect(first).toMatchObject({ size_bytes: '2000000', stored_at: expect.any(Date) });
    const again = await put(sha256, bytes);
    expect([again.status, again.json]).toEqual([200, { sha256, size_bytes: 2_000_000, created: false }]);
    const second = await row(sha256);
    expect(second?.stored_at).toEqual(first?.stored_at);
    expect(Number(second?.last_put_at)).toBeGreaterThan(Number(first?.last_put_at));

    const answer = await get(sha256);
    expect(Buffer.compare(Buffer.from(await answer.arrayBuffer()), bytes)).toBe(0);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'dlo-blob-bytes': '2000000',
      'content-disposition': expect.stringContaining('attachment'),
      'x-content-type-options': 'nosniff',
    });
    const head = await get(sha256, 'HEAD');
    expect([head.status, head.headers.get('dlo-blob-bytes'), await head.text()]).toEqual([200, '2000000', '']);
  });

  test('of other bytes than its name says is refused with their hash, and is not stored', async () => {
    const sha256 = sha256Of('right');
    const answer = await put(sha256, Buffer.from('wrong'));
    expect(answer.status).toBe(422);
    expect(answer.json).toMatchObject({ error: { code: 'unprocessable', details: { sha256: sha256Of('wrong') } } });
    expect((await get(sha256)).status).toBe(404);
    expect(await row(sha256)).toMatchObject({ stored_at: null });
  });

  test('over the limit is refused, also where its length was not announced', async () => {
    const bytes = randomBytes(3_000_001);
    const announced = await put(sha256Of(bytes), bytes, { 'content-length': '3000001' });
    expect(announced.status).toBe(413);
    expect(announced.json).toMatchObject({ error: { message: expect.stringContaining('DLO_MAX_BLOB_BYTES') } });
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(bytes);
        controller.close();
      },
    });
    expect((await put(sha256Of(bytes), stream)).status).toBe(413);
    expect(existsSync(blobs.pathOf(sha256Of(bytes)))).toBe(false);
    expect(readdirSync(`${blobs.folder}/incoming`)).toEqual([]);
  });

  test('that is damaged is an error and no bytes', async () => {
    const bytes = randomBytes(100_000);
    const sha256 = sha256Of(bytes);
    await put(sha256, bytes);
    blobs.damage(sha256, bytes);
    const answer = await get(sha256);
    expect(answer.status).toBe(500);
    expect(await answer.json()).toMatchObject({ error: { message: expect.stringContaining('is damaged') } });
    expect((await put(sha256, bytes)).status).toBe(201);
    expect((await get(sha256)).status).toBe(200);
  });

  test('that is not there says how to store it, and a name that is none is refused', async () => {
    const answer = await get(sha256Of('nobody'));
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ error: { message: expect.stringContaining('PUT /api/blobs/') } });
    for (const name of ['..%2f..', 'A'.repeat(64), 'ab'])
      expect([(await get(name)).status, (await put(name, Buffer.from('x'))).status]).toEqual([400, 400]);
  });

  test('is not taken as another media type', async () => {
    const answer = await put(sha256Of('x'), 'x', { 'content-type': 'text/plain' });
    expect(answer.status).toBe(415);
  });

  test('of a sensitive entry, or of none yet, is for operators', async () => {
    const bytes = Buffer.from('secret');
    const sha256 = sha256Of(bytes);
    await put(sha256, bytes);
    const actor = { name: 'v', role: 'viewer' as const, by: 'loopback' as const, producer: null };
    const asked = () => blobResponse({ db: database.db, actor, request_id: 'r' }, sha256, false);
    const capture = (work_key: string, sensitive: boolean) =>
      database.pool.query('select dlq.capture($1::jsonb)', [
        JSON.stringify({ work_key, task_name: 't', payload_ref: `sha256:${sha256}`, sensitive }),
      ]);
    await expect(asked()).rejects.toMatchObject({ code: 'forbidden' });
    await capture('plain', false);
    expect(await (await asked()).text()).toBe('secret');
    await capture('hidden', true);
    await expect(asked()).rejects.toMatchObject({ code: 'forbidden' });
  });
});
