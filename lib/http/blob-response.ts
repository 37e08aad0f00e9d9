import { openBlob } from '@/lib/blobs/open-blob';
import { getBlobStore } from '@/lib/blobs/open-blob-store';
import { storeBlob } from '@/lib/blobs/store-blob';
import { sha256Schema } from '@/lib/contract/blob';
import { DlqError } from '@/lib/contract/error';
import type { RequestBody } from './request-body';
import type { Context } from './route';

function readSha256(text: string): string {
  if (sha256Schema.safeParse(text).success) return text;
  throw new DlqError('bad_request', `“${text.slice(0, 80)}” is no sha256: a blob's name is 64 lowercase hex digits`);
}

/** `PUT /api/blobs/{sha256}`: 201 where it is new, 200 where it was there. */
export async function blobPut(ctx: Context, name: string, body: RequestBody): Promise<Response> {
  const sha256 = readSha256(name);
  const stored = await storeBlob({ db: ctx.db, store: getBlobStore() }, { sha256, chunks: body.chunks() });
  return Response.json(stored, { status: stored.created ? 201 : 200 });
}

/**
 * `GET` and `HEAD /api/blobs/{sha256}`. The answer breaks off, unended, where a large blob turns out damaged. Its size is a
 * header of its own, since Next takes Content-Length away.
 */
export async function blobResponse(ctx: Context, name: string, head: boolean): Promise<Response> {
  const sha256 = readSha256(name);
  const context = { db: ctx.db, store: getBlobStore(), actor: ctx.actor };
  const { size_bytes, chunks } = await openBlob(context, { sha256, head });
  return new Response(head ? null : streamOf(chunks), {
    headers: {
      'content-type': 'application/octet-stream',
      'content-length': String(size_bytes),
      'dlo-blob-bytes': String(size_bytes),
      'content-disposition': `attachment; filename="${sha256}.bin"`,
    },
  });
}

function streamOf(chunks: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}
