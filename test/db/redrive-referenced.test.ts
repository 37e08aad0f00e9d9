import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { BlobStore } from '@/lib/blobs/blob-store';
import { openBlobStore } from '@/lib/blobs/open-blob-store';
import { DlqError } from '@/lib/contract/error';
import { INLINE_BLOB_BYTES, payloadRef } from '@/lib/dead-letter/size-rule';
import { captureOne } from '@/lib/ingest/capture-one';
import { listItems } from '@/lib/operations/list-items';
import { previewOperation } from '@/lib/operations/preview-operation';
import { getEntry } from '@/lib/triage/get-entry';
import { type BlobFolder, makeBlobFolder } from '../support/blob-folder';
import { putBlob } from '../support/put-blob';
import { sha256Of } from '../support/sha256-of';
import { actor, db, pipeline, redrive, register } from './redrive/harness';

let blobs: BlobFolder;
let store: BlobStore;
beforeAll(async () => {
  blobs = makeBlobFolder();
  vi.stubEnv('DLO_TARGETS', JSON.stringify({ pipeline: { type: 'webhook', url: 'http://127.0.0.1:9/', secret: 's' } }));
  vi.stubEnv('DATABASE_URL', 'postgres://unused@127.0.0.1/unused');
  store = openBlobStore(blobs.folder, {});
  await register('fetching', { takes_references: true });
});
afterAll(() => {
  blobs.remove();
  vi.unstubAllEnvs();
});

const put = async (bytes: Uint8Array) => payloadRef(await putBlob({ db, store }, bytes));

async function redriveOf(work_key: string, members: Record<string, unknown>, from: () => BlobStore = () => store) {
  const text = JSON.stringify({ work_key, task_name: 'plain', code_version: 'v1', ...members });
  const { id } = await captureOne({ db }, { text, via: 'http' });
  const [result] = await redrive([{ id, work_key, task_name: 'plain' }], { openStore: from });
  return { result, sent: pipeline.of(work_key).map(({ redrive: request }) => request) };
}

const POINT = Buffer.from('0101000000000000000000f03f0000000000000040', 'hex');

describe('a redrive of a payload kept by reference', () => {
  test('carries its bytes, its reference and where they are', async () => {
    const payload_ref = await put(POINT);
    const { result, sent } = await redriveOf('ref-wkb', { payload_ref });
    expect(result).toMatchObject({ outcome: 'succeeded' });
    expect(sent).toMatchObject([
      { geom_wkb: POINT.toString('hex'), geom_given: null, payload_ref, payload_url: `/api/blobs/${sha256Of(POINT)}` },
    ]);
  });

  test('carries the text of WKT as it was given, beside its bytes', async () => {
    const { sent } = await redriveOf('ref-wkt', {
      payload_ref: await put(Buffer.from('Point(1 2)')),
      geom_format: 'wkt',
    });
    expect(sent).toMatchObject([{ geom_wkb: POINT.toString('hex'), geom_given: 'Point(1 2)', geom_format: 'wkt' }]);
    const unreadable = { payload_ref: await put(Buffer.from('Point(1')), geom_format: 'wkt' };
    expect((await redriveOf('ref-unreadable', unreadable)).sent).toMatchObject([
      { geom_wkb: null, geom_given: 'Point(1' },
    ]);
  });

  test('over 8 MB goes by its address alone, and only to a task that takes references', async () => {
    const payload_ref = await put(Buffer.alloc(INLINE_BLOB_BYTES + 1));
    const refused = await redriveOf('large-plain', { payload_ref });
    expect(refused.result).toMatchObject({ outcome: null, reason: 'no_payload' });
    expect(refused.result?.detail).toContain('takes_references');
    expect(refused.sent).toEqual([]);
    const { sent } = await redriveOf('large-fetching', { payload_ref, task_name: 'fetching' });
    expect(sent).toMatchObject([{ geom_wkb: null, payload_ref, payload_url: expect.stringContaining('/api/blobs/') }]);
  });

  test('whose blob is missing or damaged is not sent, and left open with the reason', async () => {
    const missing = await redriveOf('missing', { payload_ref: `sha256:${sha256Of('nowhere')}` });
    const bytes = Buffer.concat([POINT, Buffer.from([1])]);
    const payload_ref = await put(bytes);
    blobs.damage(sha256Of(bytes), bytes);
    const damaged = await redriveOf('damaged', { payload_ref });
    for (const { result, sent } of [missing, damaged]) {
      expect(result).toMatchObject({ outcome: null, reason: 'no_payload' });
      expect(sent).toEqual([]);
    }
  });

  test('is not sent while the blob store cannot serve', async () => {
    const away: BlobStore = Object.assign(Object.create(store) as BlobStore, {
      size: async () => {
        throw new DlqError('storage_unavailable', 'the blob store is away');
      },
    });
    const { result, sent } = await redriveOf('away', { payload_ref: await put(POINT) }, () => away);
    expect(result).toMatchObject({ outcome: null, reason: 'no_payload', detail: 'the blob store is away' });
    expect(sent).toEqual([]);
  });
});

describe('a preview', () => {
  const capture = async (work_key: string, members: Record<string, unknown>): Promise<string> => {
    const text = JSON.stringify({ work_key, task_name: 'plain', queue: 'preview', code_version: 'v1', ...members });
    return (await captureOne({ db }, { text, via: 'http' })).id;
  };

  test('counts those whose blob is there, and lists the others with the reason', async () => {
    await capture('preview-here', { payload_ref: await put(POINT) });
    await capture('preview-missing', { payload_ref: `sha256:${sha256Of('nowhere')}` });
    await capture('preview-large', { payload_ref: await put(Buffer.alloc(INLINE_BLOB_BYTES + 1)) });
    await capture('preview-inline', { geom_wkt: 'POINT(1 2)' });
    const ctx = { db, actor };
    const preview = await previewOperation(ctx, { action: 'redrive', filter: { queue: ['preview'] } });
    expect(preview).toMatchObject({ matched: 4, eligible: 2 });
    expect(preview.skipped.map(({ reason, count }) => [reason, count])).toEqual([
      ['no_payload', 1],
      ['no_payload', 1],
    ]);
    const { items } = await listItems(ctx, { id: preview.operation_id, outcome: 'skipped', cursor: null, limit: 10 });
    expect(items.map(({ work_key }) => work_key).toSorted()).toEqual(['preview-large', 'preview-missing']);
  });

  test('of one entry shows what would be sent, its geometry in short, and the size of its blob', async () => {
    const id = await capture('outlook', { payload_ref: await put(POINT) });
    const entry = await getEntry({ db, actor }, { id });
    expect(entry.faithfulness).toMatchObject({ faithful: true });
    expect(entry.payload).toMatchObject({ blob_bytes: POINT.byteLength, geom_bytes: null });
    expect(JSON.parse(entry.would_send?.body ?? '')).toMatchObject({
      geom_wkb: '…',
      payload_ref: `sha256:${sha256Of(POINT)}`,
      payload_url: `/api/blobs/${sha256Of(POINT)}`,
    });
    const missing = await getEntry(
      { db, actor },
      { id: await capture('outlook-missing', { payload_ref: `sha256:${'0'.repeat(64)}` }) },
    );
    expect(missing.faithfulness).toMatchObject({ faithful: false, reason: 'no_payload' });
    expect(missing.payload.blob_bytes).toBeNull();
  });
});
