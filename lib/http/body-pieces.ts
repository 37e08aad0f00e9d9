import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { DlqError } from '@/lib/contract/error';

/**
 * What a sender must bring on average once its patience is used up: else a byte now and then would hold a place in
 * work for ever.
 */
const LEAST_BYTES_PER_S = 1_000;

/** How much, and how long, is read of a body that nobody wants any more. */
const LINGER_BYTES = 32_000_000;
const LINGER_MS = 3_000;

function stopped(idle_ms: number): DlqError {
  return new DlqError(
    'request_timeout',
    `the body stopped coming: it may bring nothing for ${idle_ms / 1000} s, and ${LEAST_BYTES_PER_S} bytes a second on average; send it again, in smaller pieces`,
    { idle_ms },
  );
}

/** The pieces of a body as they arrive. @throws DlqError request_timeout where they stop or trickle. */
export async function* arrivingPieces(body: ReadableStream<Uint8Array>, idle_ms: number): AsyncGenerator<Uint8Array> {
  const reader: ReadableStreamDefaultReader<Uint8Array> = body.getReader();
  let waited_ms = 0;
  let seen = 0;
  let ended = false;
  try {
    for (;;) {
      const asked = performance.now();
      // Only the waiting for the sender counts: what we take to store a piece is not its fault.
      const credit_ms = idle_ms + (seen / LEAST_BYTES_PER_S) * 1000 - waited_ms;
      const { done, value } = await within(reader.read(), Math.min(idle_ms, credit_ms), () => stopped(idle_ms));
      waited_ms += performance.now() - asked;
      if (done) break;
      seen += value.byteLength;
      yield value;
    }
    ended = true;
  } finally {
    if (!ended) void discardRest(reader);
  }
}

/**
 * Reads on for a while without keeping anything, and breaks off then. Breaking off at once cuts the connection, and a
 * client that is still sending would see that instead of the answer.
 */
async function discardRest(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  const until = performance.now() + LINGER_MS;
  let seen = 0;
  try {
    while (seen < LINGER_BYTES) {
      const { done, value } = await within(reader.read(), until - performance.now(), () => new Error('long enough'));
      if (done) return;
      seen += value.byteLength;
    }
  } catch {
    // The sender is gone or takes too long.
  }
  await reader.cancel().catch(() => {});
}

async function within<T>(promise: Promise<T>, ms: number, late: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), Math.max(0, ms));
  });
  try {
    return await Promise.race([promise, deadline]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * The pieces of a gzip body, unpacked one by one: whoever stops reading stops the unpacking, so that a few bytes that
 * unpack to gigabytes cost no more than what was asked for.
 * @throws DlqError bad_request where the gzip is cut off or broken.
 */
export async function* unpackedPieces(packed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const source = Readable.from(packed, { objectMode: false });
  const unpacked = createGunzip({ chunkSize: 65_536 });
  source.on('error', (error) => unpacked.destroy(error));
  source.pipe(unpacked);
  try {
    for await (const piece of unpacked) yield piece as Uint8Array;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (code === 'Z_BUF_ERROR')
      throw new DlqError('bad_request', 'the gzip body ends before its end: it was cut off on the way; send it again');
    if (code.startsWith('Z_'))
      throw new DlqError(
        'bad_request',
        `the body is no sound gzip (${(error as Error).message}); send it again, or without Content-Encoding`,
      );
    throw error;
  } finally {
    source.destroy();
    unpacked.destroy();
  }
}
