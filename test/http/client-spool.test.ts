import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { closePool } from '@/db/client';
import { blobSink } from '@/lib/blobs/blob-sink';
import {
  type CaptureOptions,
  type CaptureResult,
  capture,
  captureBatch,
  flush,
  openSpool,
  type Spool,
} from '@/lib/capture';
import { SIZE_RULE_BYTES } from '@/lib/dead-letter/size-rule';
import { workerName } from '@/lib/spool/load-source';
import { openSource } from '@/lib/spool/open-source';
import { watchSpools } from '@/lib/spool/watch';
import { type BlobFolder, makeBlobFolder } from '@/test/support/blob-folder';
import { cloneDatabase, type TestDatabase } from '@/test/support/database';
import { type S3Stub, startS3Stub } from '@/test/support/s3-stub';
import { serveRoutes } from '@/test/support/serve-routes';
import { sha256Of } from '@/test/support/sha256-of';

let database: TestDatabase;
let blobs: BlobFolder;
let stub: S3Stub;
let server: Awaited<ReturnType<typeof serveRoutes>>;
let gone: string;
let home: string;
beforeAll(async () => {
  database = await cloneDatabase();
  blobs = makeBlobFolder();
  home = mkdtempSync(path.join(tmpdir(), 'dlo-client-'));
  stub = await startS3Stub({ bucket: 'pipelines' });
  vi.stubEnv('DATABASE_URL', database.url);
  vi.stubEnv('DLO_LOG_LEVEL', 'silent');
  const routes = [
    { method: 'POST', path: '/api/dead-letters', handler: (await import('@/app/api/dead-letters/route')).POST },
    { method: 'PUT', path: '/api/blobs/[sha256]', handler: (await import('@/app/api/blobs/[sha256]/route')).PUT },
  ];
  server = await serveRoutes(routes);
  const closed = await serveRoutes(routes);
  gone = closed.url;
  await closed.close();
});
afterAll(async () => {
  await server?.close();
  await stub?.stop();
  await closePool();
  await database?.drop();
  blobs?.remove();
  rmSync(home, { recursive: true, force: true });
});

let key = 0;
const nextKey = () => `client-spool/${++key}`;
const large = (seed: number) => new Uint8Array(SIZE_RULE_BYTES + 1000).map((_, i) => (i * seed) % 251);

function captureTo(
  spool: CaptureOptions['spool'],
  work_key: string,
  more: Partial<CaptureOptions> & { geometry?: Uint8Array },
) {
  const { geometry, ...options } = more;
  const given = {
    url: server.url,
    task_name: 'clip',
    code_version: '1',
    timeout_ms: 20_000,
    warn: () => {},
    spool,
    ...options,
  };
  return capture(new Error('side location conflict'), { work_key, geometry, params: { snap: 0.01 } }, given);
}

interface Stored {
  capture_id: string;
  attempts: number;
  payload_ref: string | null;
  geom_wkb: Buffer | null;
  via: string;
}
async function stored(work_key: string): Promise<Stored[]> {
  const { rows } = await database.pool.query<Stored>(
    `select o.capture_id, e.attempts, p.payload_ref, p.geom_wkb, o.via
     from dlq.entry e join dlq.occurrence o on o.entry_id = e.id
     join dlq.payload p on p.entry_id = e.id and p.payload_hash = o.payload_hash
     where e.work_key = $1`,
    [work_key],
  );
  return rows;
}
const idOf = (result: CaptureResult): string => JSON.parse(result.line).capture_id;

/** The worker's loader, once over everything that is there. */
async function load(address: string): Promise<void> {
  const watch = watchSpools({
    db: database.db,
    sources: [openSource(address, stub.environment)],
    blobs: blobSink(database.db),
    worker: workerName('client'),
    keep_days: 7,
  });
  await watch(new AbortController().signal);
}

describe('a capture with a large geometry', () => {
  test('lies in the blob store byte for byte, and its entry names it', async () => {
    const geometry = large(7);
    const work_key = nextKey();
    const result = await captureTo(false, work_key, { geometry });
    expect(result.kept).toBe('server');
    const ref = sha256Of(geometry);
    expect(readFileSync(blobs.pathOf(ref)).equals(geometry)).toBe(true);
    expect(await stored(work_key)).toMatchObject([
      { capture_id: idOf(result), attempts: 1, payload_ref: `sha256:${ref}`, geom_wkb: null },
    ]);
  });

  test('goes packed as far as its line goes, and the server takes it', async () => {
    const work_key = nextKey();
    const geometry = large(3).subarray(0, 400_000);
    expect((await captureTo(false, work_key, { geometry })).kept).toBe('server');
    expect((await stored(work_key))[0]?.geom_wkb?.equals(geometry)).toBe(true);
  });
});

describe.each(['directory', 'bucket'] as const)('captures that the server did not take, in a spool in a %s', (kind) => {
  let address: string;
  let spool: Spool;
  beforeEach(() => {
    const name = `${kind}-${++key}`;
    address = kind === 'directory' ? path.join(home, name) : `${stub.url}/${name}`;
    spool = openSpool({ where: address, environment: stub.environment, warn: () => {} });
  });

  test('are stored once by the loader, with their bytes, whatever else the server had taken of them', async () => {
    const [small, big, both] = [nextKey(), nextKey(), nextKey()];
    const geometry = large(11);
    const spooled = [
      await captureTo(spool, small, { url: gone, timeout_ms: 1000 }),
      await captureTo(spool, big, { url: gone, timeout_ms: 1000, geometry }),
    ];
    expect(spooled.map((one) => one.kept)).toEqual(['spool', 'spool']);
    const taken = await captureTo(spool, both, {});
    await spool.append(taken.line);
    await flush();
    await load(address);
    await load(address);
    expect(await stored(small)).toMatchObject([
      { capture_id: idOf(spooled[0] as CaptureResult), attempts: 1, via: 'spool' },
    ]);
    expect(await stored(big)).toMatchObject([{ attempts: 1, payload_ref: `sha256:${sha256Of(geometry)}` }]);
    expect(readFileSync(blobs.pathOf(sha256Of(geometry))).equals(geometry)).toBe(true);
    expect(await stored(both)).toMatchObject([{ capture_id: idOf(taken), attempts: 1, via: 'http' }]);
  });

  test('are shown with the server’s reason by the loader where no one can take them', async () => {
    const batch = captureBatch({ url: server.url, spool, max_wait_ms: 5, timeout_ms: 20_000, warn: () => {} });
    const good = nextKey();
    const kept = await Promise.all([
      batch.add(JSON.stringify({ capture_id: crypto.randomUUID(), work_key: good, task_name: 't' })),
      batch.add(JSON.stringify({ capture_id: crypto.randomUUID(), work_key: nextKey(), task_name: 't', tile_z: 1e9 })),
    ]);
    expect(kept.map((one) => one.kept)).toEqual(['server', 'spool']);
    await spool.seal();
    await load(address);
    const { rows } = await database.pool.query(
      'select r.reason, r.message from dlq.rejected_line r join dlq.spool_file f on f.id = r.spool_file_id where f.source = $1',
      [address],
    );
    expect(rows).toMatchObject([{ reason: 'refused', message: expect.stringContaining('tile_z') }]);
  });
});

test('a spool file that comes back under another name counts nothing twice', async () => {
  const folder = path.join(home, 'again');
  const work_key = nextKey();
  await captureTo(folder, work_key, { url: gone, timeout_ms: 1000 });
  await flush();
  const [name = ''] = readdirSync(folder).filter((one) => one.endsWith('.ndjson'));
  copyFileSync(path.join(folder, name), path.join(folder, `z-${name}`));
  await load(folder);
  expect(await stored(work_key)).toMatchObject([{ attempts: 1 }]);
});
