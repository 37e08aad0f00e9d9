import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { BlobStore } from '@/lib/blobs/blob-store';
import { openBlobStore } from '@/lib/blobs/open-blob-store';
import { DlqError } from '@/lib/contract/error';
import { payloadRef } from '@/lib/dead-letter/size-rule';
import { diagnoseBatch } from '@/lib/diagnose/diagnose-batch';
import { captureOne } from '@/lib/ingest/capture-one';
import { ewkbFromWkt } from '@/lib/wkb/from-wkt';
import { type BlobFolder, makeBlobFolder } from '../support/blob-folder';
import { cloneDatabase, type TestDatabase } from '../support/database';
import { putBlob } from '../support/put-blob';
import { sha256Of } from '../support/sha256-of';

let database: TestDatabase;
let blobs: BlobFolder;
let store: BlobStore;
beforeAll(async () => {
  vi.stubEnv('DLO_LOG_LEVEL', 'silent');
  database = await cloneDatabase();
  blobs = makeBlobFolder();
  store = openBlobStore(blobs.folder, {});
});
afterAll(async () => {
  await database.drop();
  blobs.remove();
});

const capture = (given: Record<string, unknown>) =>
  captureOne(
    { db: database.db },
    { text: JSON.stringify({ task_name: 't', src_crs: 'EPSG:4326', ...given }), via: 'http' },
  );

const put = async (bytes: Uint8Array) => payloadRef(await putBlob({ db: database.db, store }, bytes));

async function diagnosed(work_key: string, from: BlobStore = store): Promise<Record<string, unknown> | undefined> {
  const openStore = () => from;
  while ((await diagnoseBatch(database.db, openStore)) > 0);
  const { rows } = await database.pool.query<Record<string, unknown>>(
    `select d.valid, d.faults, d.unmappable_reason, d.reproject_error, left(ST_AsText(d.footprint, 4), 80) as footprint,
       s.cell is not null as placed, d.diagnosed_at is not null as done, d.tries
     from dlq.entry e join dlq.diagnosis d on d.entry_id = e.id join dlq.state s on s.entry_id = e.id where e.work_key = $1`,
    [work_key],
  );
  return rows[0];
}

const wkb = (text: string, srid: number | null = null): Uint8Array => {
  const read = ewkbFromWkt(text, srid);
  if ('error' in read) throw new Error(read.error.message);
  return read.bytes;
};
const BOWTIE = 'POLYGON((0 0,2 2,2 0,0 2,0 0))';

describe('a geometry kept by reference', () => {
  test.each([
    ['wkb', () => wkb(BOWTIE)],
    ['wkt', () => Buffer.from(BOWTIE)],
    ['geojson', () => Buffer.from('{"type":"Polygon","coordinates":[[[0,0],[2,2],[2,0],[0,2],[0,0]]]}')],
  ] as const)('as %s is diagnosed as if it were inline', async (geom_format, bytes) => {
    await capture({ work_key: 'inline', geom_wkt: BOWTIE });
    await capture({ work_key: geom_format, payload_ref: await put(bytes()), geom_format });
    const by_reference = await diagnosed(geom_format);
    expect(by_reference).toMatchObject({ valid: false, footprint: BOWTIE, placed: true, unmappable_reason: null });
    expect(by_reference).toEqual(await diagnosed('inline'));
  });

  test('is placed by the number in its bytes where nothing is claimed', async () => {
    const payload_ref = await put(wkb('POINT(500000 5000000)', 32631));
    await capture({ work_key: 'by-number', src_crs: null, payload_ref });
    expect(await diagnosed('by-number')).toMatchObject({
      placed: true,
      footprint: expect.stringMatching(/^POINT\(3 /),
    });
  });

  test('waits for its blob with the reason, and is diagnosed anew when the blob comes', async () => {
    const bytes = wkb('POINT(11 51)');
    const payload_ref = `sha256:${sha256Of(bytes)}`;
    await capture({ work_key: 'early', payload_ref });
    expect(await diagnosed('early')).toMatchObject({
      unmappable_reason: 'unreadable',
      reproject_error: `the blob ${payload_ref} is not in the store`,
      placed: false,
    });
    await put(bytes);
    expect(await diagnosed('early')).toMatchObject({
      unmappable_reason: null,
      footprint: 'POINT(11 51)',
      placed: true,
    });
  });

  test('whose blob comes while it is diagnosed is diagnosed anew', async () => {
    const bytes = wkb('POINT(12 52)');
    await capture({ work_key: 'meanwhile', payload_ref: `sha256:${sha256Of(bytes)}` });
    // The read misses the blob, which then arrives before the diagnosis is written, its request for a new one included.
    const late: BlobStore = Object.assign(Object.create(store) as BlobStore, {
      read: async (sha256: string, max_bytes: number) => {
        const found = await store.read(sha256, max_bytes);
        if (!found) {
          await put(bytes);
          await database.pool.query('update dlq.diagnosis set tries = 1 where diagnosed_at is null');
        }
        return found;
      },
    });
    expect(await diagnosed('meanwhile', late)).toMatchObject({ footprint: 'POINT(12 52)', placed: true });
  });

  test('that is damaged is unreadable with the reason, until its blob is replaced', async () => {
    const bytes = wkb('POINT(13 53)');
    const payload_ref = await put(bytes);
    blobs.damage(sha256Of(bytes), bytes);
    await capture({ work_key: 'damaged', payload_ref });
    expect(await diagnosed('damaged')).toMatchObject({
      unmappable_reason: 'unreadable',
      reproject_error: expect.stringContaining('is damaged'),
    });
    await put(bytes);
    expect(await diagnosed('damaged')).toMatchObject({ footprint: 'POINT(13 53)' });
  });

  test.each([
    ['wkb', Buffer.from('0103000000', 'hex'), 'truncated'],
    ['wkt', Buffer.from('POINT(1'), 'at 7'],
    ['geojson', Buffer.from('{"type":'), 'not JSON'],
    ['wkt', Buffer.from([0xff, 0xfe]), 'not UTF-8'],
  ] as const)('as %s that cannot be read says why (%#)', async (geom_format, bytes, reason) => {
    const work_key = `unreadable ${reason}`;
    await capture({ work_key, payload_ref: await put(bytes), geom_format });
    const row = await diagnosed(work_key);
    expect(row).toMatchObject({ unmappable_reason: 'unreadable', placed: false });
    expect(`${row?.reproject_error} ${JSON.stringify(row?.faults)}`).toContain(reason);
  });

  test('of over 64 MB is too large', async () => {
    const bytes = Buffer.alloc(64_000_001);
    await capture({ work_key: 'large', payload_ref: await put(bytes) });
    expect(await diagnosed('large')).toMatchObject({
      unmappable_reason: 'too_large',
      reproject_error: expect.stringContaining('64000001'),
    });
  });

  test('waits as long as the blob store cannot serve, and holds up no other', async () => {
    const away: BlobStore = Object.assign(Object.create(store) as BlobStore, {
      read: async () => {
        throw new DlqError('storage_unavailable', 'away');
      },
    });
    await capture({ work_key: 'waits', payload_ref: await put(wkb('POINT(14 54)')) });
    await capture({ work_key: 'passes', geom_wkt: 'POINT(15 55)' });
    for (let i = 0; i < 5; i++) expect(await diagnosed('passes', away)).toMatchObject({ footprint: 'POINT(15 55)' });
    expect(await diagnosed('waits', away)).toMatchObject({ done: false, tries: 0 });
    expect(await diagnosed('waits')).toMatchObject({ footprint: 'POINT(14 54)' });
  });
});
