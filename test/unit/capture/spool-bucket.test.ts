import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openSpool } from '@/lib/capture/spool';
import { readSpoolLine, sha256Of } from '@/lib/capture/spool-line';
import { type S3Stub, startS3Stub } from '../../support/s3-stub';

let stub: S3Stub;
let count = 0;
beforeEach(async () => {
  stub = await startS3Stub({ bucket: 'pipelines' });
});
afterEach(() => stub.stop());

/** A prefix of its own each time, since a place has one spool in a process. */
const open = () => openSpool({ where: `${stub.url}/dlo-${++count}`, environment: stub.environment });

const captures = () =>
  [...stub.objects]
    .filter(([key]) => key.includes('/spool/'))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, { body }]) => Buffer.from(body).toString('utf8').trimEnd().split('\n'))
    .map((line) => readSpoolLine(Buffer.from(line)))
    .map((read) => ('bad' in read ? `bad: ${read.bad}` : read.capture));

describe('a spool in a bucket', () => {
  test('keeps the lines that wait as one object, named by where it lies', async () => {
    const spool = open();
    const first = await spool.append('{"n":0}');
    const texts = Array.from({ length: 100 }, (_, i) => `{"n":${i + 1}}`);
    const kept = await Promise.all(texts.map((text) => spool.append(text)));
    expect(captures()).toEqual(['{"n":0}', ...texts]);
    expect(first.file).toMatch(new RegExp(`^${stub.url}/dlo-${count}/spool/.+-000001\\.ndjson$`));
    expect(new Set(kept.map(({ file }) => file)).size).toBe(1);
    expect([...stub.objects.keys()]).toContain(first.file.replace(`${stub.url}/`, ''));
  });

  test('tries a PUT again under the same name while a capture waits for it', async () => {
    const spool = open();
    stub.fail_next(503, 4);
    await spool.append('{"n":1}', AbortSignal.timeout(20_000));
    stub.fail_next('lost', 1);
    await spool.append('{"n":2}', AbortSignal.timeout(20_000));
    expect(captures()).toEqual(['{"n":1}', '{"n":2}']);
  });

  test('gives up at the deadline of its captures, and takes the next ones', async () => {
    const spool = open();
    const deadline = new AbortController();
    stub.fail_next('hang', 1);
    const kept = spool.append('{"n":1}', deadline.signal);
    await expect.poll(() => stub.requests.length).toBe(1);
    deadline.abort();
    await expect(kept).rejects.toThrow('in time');
    await spool.append('{"n":2}');
    expect(captures()).toContain('{"n":2}');
  });

  test('keeps a payload under its hash', async () => {
    const bytes = new Uint8Array(1_500_000).fill(7);
    await open().put_blob(sha256Of(bytes), bytes);
    expect(Buffer.from(stub.objects.get(`dlo-${count}/blobs/${sha256Of(bytes)}`)?.body ?? []).equals(bytes)).toBe(true);
  });

  test('without its keys names the variable, when it is opened and to each capture', async () => {
    const warnings: string[] = [];
    const spool = openSpool({
      where: `${stub.url}/keyless`,
      environment: {},
      warn: (text) => warnings.push(text),
    });
    await expect(spool.append('{"n":1}')).rejects.toThrow(/AWS_ACCESS_KEY_ID|DLO_S3_ENDPOINT/);
    expect(warnings).toEqual([expect.stringMatching(/AWS_ACCESS_KEY_ID|DLO_S3_ENDPOINT/)]);
  });

  test('refused for good says why at once', async () => {
    stub.fail_next(403, 1);
    await expect(open().append('{"n":1}')).rejects.toThrow('403');
  });
});
