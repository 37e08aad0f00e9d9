import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ObjectStore, openObjectStore } from '@/lib/object-store/s3';
import { ObjectStoreError } from '@/lib/object-store/s3-errors';
import { type S3Stub, startS3Stub } from '@/test/support/s3-stub';
import { sha256Of } from '@/test/support/sha256-of';

let stub: S3Stub;
let store: ObjectStore;
beforeEach(async () => {
  stub = await startS3Stub({ bucket: 'queue', page_size: 2 });
  store = openObjectStore(`${stub.url}/team a/`, stub.environment);
});
afterEach(() => stub.stop());

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const streamOf = (...pieces: Uint8Array[]) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });

async function read(key: string): Promise<string | null> {
  const body = await store.get(key);
  return body && new Response(body).text();
}

async function keys(prefix: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { key } of store.list(prefix)) found.push(key);
  return found;
}

async function failureOf(work: Promise<unknown>): Promise<ObjectStoreError> {
  const error: unknown = await work.then(
    () => new Error('it did not fail'),
    (failure: unknown) => failure,
  );
  expect(error).toBeInstanceOf(ObjectStoreError);
  return error as ObjectStoreError;
}

describe('an object', () => {
  test('comes back with the bytes that were put, under any key below the prefix', async () => {
    const key = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).map((text) => `k/${text}`);
    // A URL has no segments of these names.
    const legal = key.filter((text) => !text.split('/').some((segment) => segment === '.' || segment === '..'));
    await fc.assert(
      fc.asyncProperty(legal, fc.uint8Array({ maxLength: 300 }), async (name, body) => {
        await store.put(name, body);
        expect([...(stub.objects.get(`team a/${name}`)?.body ?? [])]).toEqual([...body]);
        expect(await store.head(name)).toEqual({ size_bytes: body.byteLength });
        const got = new Uint8Array(await new Response(await store.get(name)).arrayBuffer());
        expect([...got]).toEqual([...body]);
        await store.remove(name);
      }),
      { numRuns: 60 },
    );
  });

  test('that is not there is null to get and head, and removed without an error', async () => {
    expect(await store.get('none')).toBeNull();
    expect(await store.head('none')).toBeNull();
    await store.remove('none');
  });

  test('is put as a stream with its length and hash', async () => {
    const body = bytes('one two three');
    await store.put_stream('s', streamOf(body.subarray(0, 4), body.subarray(4)), body.length, sha256Of(body));
    expect(await read('s')).toBe('one two three');
  });

  test('is copied, and gone once removed', async () => {
    await store.put('spool/a b+c.ndjson', bytes('line'));
    await store.copy('spool/a b+c.ndjson', 'loaded/a b+c.ndjson');
    await store.remove('spool/a b+c.ndjson');
    expect(await read('loaded/a b+c.ndjson')).toBe('line');
    expect(await read('spool/a b+c.ndjson')).toBeNull();
    expect((await failureOf(store.copy('spool/none', 'loaded/none'))).code).toBe('NoSuchKey');
  });
});

describe('a list', () => {
  test('goes through all pages in the order of the keys and stays below its prefix', async () => {
    const names = ['spool/1', 'spool/2 & <3>', 'spool/é+', 'spool/4', 'blobs/x'];
    for (const name of names) await store.put(name, bytes(name));
    expect(await keys('spool/')).toEqual(['spool/1', 'spool/2 & <3>', 'spool/4', 'spool/é+']);
    expect(await keys('nothing/')).toEqual([]);
    const [first] = [await store.list('spool/').next()].map(({ value }) => value);
    expect(first).toMatchObject({ size_bytes: 7, modified_at: expect.stringMatching(/^20\d\d-/) });
  });
});

describe('a request', () => {
  test('whose body has another hash than announced is refused, and nothing is stored', async () => {
    const body = bytes('right');
    const failure = await failureOf(store.put_stream('k', streamOf(body), body.length, sha256Of(bytes('wrong'))));
    expect(failure).toMatchObject({ code: 'XAmzContentSHA256Mismatch', status: 400, may_help_to_wait: false });
    expect(stub.objects.size).toBe(0);
  });

  test.each([
    ['less', 4],
    ['more', 6],
  ])('whose stream has another length than announced (%s) breaks off, and nothing is stored', async (_, size) => {
    const failure = await failureOf(store.put_stream('k', streamOf(bytes('right')), size, sha256Of(bytes('right'))));
    expect(failure.code).toBe('wrong length');
    expect(stub.objects.size).toBe(0);
  });

  test('that is not signed is refused by the stub', async () => {
    const answer = await fetch(`${stub.environment.DLO_S3_ENDPOINT}/queue/k`, { method: 'PUT', body: 'x' });
    expect(answer.status).toBe(403);
    expect(stub.objects.size).toBe(0);
  });

  test('signed with another secret says which variable to check', async () => {
    const other = openObjectStore(stub.url, { ...stub.environment, AWS_SECRET_ACCESS_KEY: 'other' });
    const failure = await failureOf(other.put('k', bytes('x')));
    expect(failure).toMatchObject({ status: 403, may_help_to_wait: false });
    expect(failure.message).toContain('AWS_SECRET_ACCESS_KEY');
  });

  test('carries a session token where there is one', async () => {
    const guarded = await startS3Stub({ bucket: 'queue', session_token: 'a token' });
    try {
      const with_token = openObjectStore(guarded.url, guarded.environment);
      await with_token.put('k', bytes('x'));
      const without = openObjectStore(guarded.url, { ...guarded.environment, AWS_SESSION_TOKEN: '' });
      expect((await failureOf(without.put('k', bytes('x')))).code).toBe('InvalidToken');
    } finally {
      await guarded.stop();
    }
  });

  test('to a bucket that is not there says so', async () => {
    const other = openObjectStore('s3://elsewhere', stub.environment);
    expect((await failureOf(other.put('k', bytes('x')))).message).toContain('NoSuchBucket');
    expect((await failureOf(other.get('k'))).message).toContain('make the bucket');
  });
});

describe('a store that fails', () => {
  test.each([503, 500, 'reset', 'lost'] as const)('by %s once is asked again', async (fault) => {
    stub.fail_next(fault);
    await store.put('k', bytes('x'));
    expect(await read('k')).toBe('x');
  });

  test('for good is given up with its code, and waiting may help', async () => {
    stub.fail_next(503, 3);
    const failure = await failureOf(store.put('k', bytes('x')));
    expect(failure).toMatchObject({ status: 503, code: 'SlowDown', may_help_to_wait: true });
    expect(stub.requests).toHaveLength(3);
  });

  test('is sent a stream only once', async () => {
    stub.fail_next(500);
    const body = bytes('x');
    await failureOf(store.put_stream('k', streamOf(body), 1, sha256Of(body)));
    expect(stub.requests).toHaveLength(1);
  });

  test('by silence is given up after the idle time', async () => {
    const hasty = openObjectStore(stub.url, stub.environment, { idle_ms: 50, retries: 0 });
    stub.fail_next('hang');
    const failure = await failureOf(hasty.put('k', bytes('x')));
    expect(failure).toMatchObject({ code: 'ETIMEDOUT', may_help_to_wait: true });
  });

  test('by silence lets go at once when the caller aborts', async () => {
    stub.fail_next('hang');
    const stopping = new AbortController();
    const asked = store.put('k', bytes('x'), stopping.signal);
    const reason = new Error('stopped by the caller');
    stopping.abort(reason);
    await expect(asked).rejects.toBe(reason);
    await expect(store.put('k', bytes('x'), stopping.signal)).rejects.toBe(reason);
  });

  test('half way through an object makes its stream fail, never end early', async () => {
    await store.put('k', bytes('one two three four'));
    stub.fail_next('partial', 1, 'GET');
    await expect(read('k')).rejects.toThrow();
    expect(await read('k')).toBe('one two three four');
  });

  test('half way through a list is asked for that page again', async () => {
    for (const name of ['a', 'b', 'c']) await store.put(name, bytes(name));
    stub.fail_next('partial', 1, 'GET');
    expect(await keys('')).toEqual(['a', 'b', 'c']);
  });

  test('to listen is named with the reason', async () => {
    const away = await startS3Stub({ bucket: 'queue' });
    await away.stop();
    const failure = await failureOf(openObjectStore(away.url, away.environment, { retries: 0 }).get('k'));
    expect(failure).toMatchObject({ code: 'ECONNREFUSED', may_help_to_wait: true });
  });
});

describe('a location', () => {
  const keys_given = { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' };
  test.each([
    ['s3://queue', {}, 'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must be set'],
    ['s3://queue', { AWS_ACCESS_KEY_ID: 'a' }, 'AWS_SECRET_ACCESS_KEY must be set'],
    ['s3://', keys_given, 'no s3://bucket/prefix'],
    ['s3://UPPER/x', keys_given, 'no s3://bucket/prefix'],
    ['s3://queue', { ...keys_given, DLO_S3_ENDPOINT: 'storage:9000' }, 'DLO_S3_ENDPOINT'],
  ])('%s with %j is refused: %s', (url, environment, message) => {
    expect(() => openObjectStore(url, environment)).toThrow(message);
  });
});
