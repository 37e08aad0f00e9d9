import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type CaptureOptions, capture, captureBatch, deadLetterOnFailure, flush, type Spool } from '@/lib/capture';
import { sha256Of } from '@/lib/capture/spool-line';
import { SIZE_RULE_BYTES } from '@/lib/dead-letter/size-rule';
import { type CaptureSink, captureSink } from '../unit/capture/capture-sink';
import { readSpool } from '../unit/capture/read-spool';

let sink: CaptureSink;
let folder: string;
/** Where nobody listens, another one for each test: a process remembers which server did not answer. */
let nobody: string;
const warnings: string[] = [];
beforeEach(async () => {
  sink = await captureSink();
  folder = mkdtempSync(join(tmpdir(), 'dlo-spool-'));
  warnings.length = 0;
  const gone = await captureSink();
  nobody = gone.url;
  await gone.close();
});
afterEach(async () => {
  await flush();
  await sink.close();
  rmSync(folder, { recursive: true, force: true });
});

const failure = new Error('side location conflict');
const options = (more: Partial<CaptureOptions> = {}): CaptureOptions => ({
  url: sink.url,
  code_version: '1',
  spool: folder,
  timeout_ms: 20_000,
  warn: (text) => warnings.push(text),
  ...more,
});
const captureOf = (work_key: string, more: Partial<CaptureOptions> = {}) =>
  capture(failure, { work_key }, options(more));
const idOf = (line: string) => JSON.parse(line).capture_id;

/** A spool that answers nothing until it is told to. */
function hangingSpool(): Spool & { asked: Promise<void> } {
  let tell = () => {};
  const asked = new Promise<void>((done) => {
    tell = done;
  });
  const hang = () => {
    tell();
    return new Promise<never>(() => {});
  };
  return { where: 'nowhere yet', append: hang, put_blob: hang, seal: async () => {}, asked };
}

const brokenSpool: Spool = {
  where: 'broken',
  append: () => Promise.reject(new Error('the disk is full')),
  put_blob: () => Promise.reject(new Error('the disk is full')),
  seal: async () => {},
};

describe('a capture that the server takes', () => {
  test('goes nowhere else', async () => {
    expect(await captureOf('k')).toMatchObject({ kept: 'server', work_key: 'k', outcome: 'created' });
    expect(readSpool(folder).files).toEqual([]);
  });

  test('whose answer was lost is sent again under the same capture_id', async () => {
    sink.mood = 'lost';
    const result = await captureOf('k');
    expect(result.kept).toBe('server');
    expect(sink.lines.map(idOf)).toEqual([idOf(result.line), idOf(result.line)]);
  });

  test('is packed when it is long, and sent as it is to a server that knows no packing', async () => {
    const params = { text: 'x'.repeat(20_000) };
    await capture(failure, { work_key: 'packed', params }, options());
    sink.takes_gzip = false;
    await capture(failure, { work_key: 'plain', params }, options());
    await capture(failure, { work_key: 'plain at once', params }, options());
    await captureOf('short');
    expect(sink.requests.map((one) => one.encoding)).toEqual(['gzip', 'gzip', undefined, undefined, undefined]);
    expect(sink.captures.map((one) => one.work_key)).toEqual(['packed', 'plain', 'plain at once', 'short']);
    expect(sink.captures[0]?.params).toEqual(params);
  });

  test('counts its time from when the process gets to it, not while a loop of tasks holds everything up', async () => {
    const task = deadLetterOnFailure({
      ...options({ timeout_ms: 1000, spool: false }),
      payload: () => ({ work_key: 'k' }),
    })(() => {
      throw failure;
    });
    expect(task).toThrow(failure);
    for (const end = performance.now() + 1300; performance.now() < end; );
    await flush();
    expect(sink.captures.map((one) => one.work_key)).toEqual(['k']);
  });
});

describe('a capture that the server does not take', () => {
  test.each([
    ['cannot be reached', () => ({ url: nobody })],
    ['does not answer', () => ({ timeout_ms: 2500 })],
  ])('lies in the spool, as it was sent, when the server %s', async (_, more) => {
    sink.mood = 'stall';
    const result = await captureOf('k', more());
    expect(result).toMatchObject({ kept: 'spool', file: expect.stringContaining(folder) });
    expect(readSpool(folder)).toMatchObject({ captures: [result.line], bad: [] });
    expect(warnings).toEqual([expect.stringContaining(`kept in ${folder} until it is loaded`)]);
  });

  test('is handed to the loader by flush', async () => {
    const result = await captureOf('k', { url: nobody });
    await flush();
    expect(result.kept === 'spool' && existsSync(result.file)).toBe(true);
  });

  test('is kept in the spool with its reason, and asked once, when it is refused for good', async () => {
    sink.mood = 'refuse';
    const result = await captureOf('k');
    expect(result).toMatchObject({ kept: 'spool', reason: expect.stringContaining('over the limit') });
    expect(sink.requests).toHaveLength(1);
    expect(readSpool(folder).captures).toEqual([result.line]);
  });

  test('does not wait for a busy server longer than its time, nor do the next ones ask it', async () => {
    sink.mood = 'busy';
    sink.retry_after_s = 3600;
    expect((await captureOf('a')).kept).toBe('spool');
    expect((await captureOf('b')).kept).toBe('spool');
    expect(sink.requests).toHaveLength(1);
  });

  test('holds up none of the hundreds after it', async () => {
    sink.mood = 'stall';
    for (let i = 0; i < 300; i += 1) expect((await captureOf(`k${i}`, { timeout_ms: 2500 })).kept).toBe('spool');
    expect(sink.requests.length).toBeLessThan(10);
    expect(readSpool(folder).captures).toHaveLength(300);
  });

  test('reaches the server nevertheless when the spool cannot keep it', async () => {
    sink.mood = 'busy';
    sink.retry_after_s = 3600;
    await captureOf('a');
    sink.mood = 'take';
    expect((await captureOf('b', { spool: brokenSpool })).kept).toBe('server');
  });

  test('raises the task’s own error all the same', async () => {
    const task = deadLetterOnFailure({
      ...options({ url: nobody }),
      payload: () => ({ work_key: 'k' }),
    })(async () => {
      throw failure;
    });
    await expect(task()).rejects.toBe(failure);
    expect(readSpool(folder).captures).toHaveLength(1);
  });
});

describe('a capture that nothing takes', () => {
  test('is given to on_capture_error whole, with both reasons', async () => {
    const lost: [string, string][] = [];
    const result = await captureOf('k', {
      url: nobody,
      spool: brokenSpool,
      on_capture_error: (...one) => lost.push(one),
    });
    expect(result.kept).toBe('nowhere');
    expect(lost).toEqual([[result.line, expect.stringMatching(/fetch failed.*the disk is full/)]]);
  });

  test('is said on stderr, with what to do', async () => {
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    await captureOf('k', { url: nobody, timeout_ms: 50, spool: false });
    const said = write.mock.calls.map(([text]) => String(text)).join('');
    write.mockRestore();
    expect(said).toMatch(/a capture is lost.*set DLO_SPOOL_DIR/);
    expect(said.trimEnd()).not.toContain('\n');
  });

  test('is answered at its deadline while the spool hangs', async () => {
    const spool = hangingSpool();
    const result = captureOf('k', { url: nobody, timeout_ms: 1000, spool, on_capture_error: () => {} });
    await spool.asked;
    expect(await result).toMatchObject({ kept: 'nowhere', reason: expect.stringContaining('in time') });
  });

  test('is answered by flush at the time that flush is given', async () => {
    sink.mood = 'stall';
    const result = captureOf('k', { timeout_ms: 600_000, spool: false });
    await sink.next_request();
    await flush({ timeout_ms: 1 });
    sink.mood = 'take';
    sink.reset_all();
    expect((await result).kept).toBe('server');
  });
});

describe('the spool of a capture', () => {
  test('is the folder that DLO_SPOOL_DIR names, unless the options say false', async () => {
    vi.stubEnv('DLO_SPOOL_DIR', folder);
    const none = await captureOf('a', { url: nobody, timeout_ms: 1000, spool: false, on_capture_error: () => {} });
    expect(none.kept).toBe('nowhere');
    expect((await captureOf('b', { url: nobody, spool: undefined })).kept).toBe('spool');
  });

  test('is the first of several that DLO_SPOOL_DIR names for the loader; commas of an option belong to its path', async () => {
    vi.stubEnv('DLO_SPOOL_DIR', ` ,${join(folder, 'one')} , ${join(folder, 'two')}`);
    await captureOf('a', { url: nobody, spool: undefined });
    await captureOf('b', { url: nobody, spool: join(folder, 'with,comma') });
    expect(readdirSync(folder).sort()).toEqual(['one', 'with,comma']);
    vi.stubEnv('DLO_SPOOL_DIR', ' , ');
    expect(
      (await captureOf('c', { url: nobody, timeout_ms: 1000, spool: undefined, on_capture_error: () => {} })).kept,
    ).toBe('nowhere');
  });

  test('that cannot be made is told when the task is wrapped', async () => {
    writeFileSync(join(folder, 'file'), '');
    const spool = join(folder, 'file', 'early');
    deadLetterOnFailure({ ...options({ spool }), payload: () => ({ work_key: 'k' }) })(() => {});
    await expect.poll(() => warnings).toEqual([expect.stringContaining(spool)]);
  });

  test('that cannot be made is named in the reason', async () => {
    writeFileSync(join(folder, 'file'), '');
    const spool = join(folder, 'file', 'spool');
    const result = await captureOf('k', { url: nobody, spool, on_capture_error: () => {} });
    expect(result).toMatchObject({ kept: 'nowhere', reason: expect.stringContaining(spool) });
  });
});

describe('a batch', () => {
  const batchOf = (more: object = {}) =>
    captureBatch({ url: sink.url, spool: folder, max_wait_ms: 5, timeout_ms: 20_000, warn: () => {}, ...more });
  const all = (batch: ReturnType<typeof batchOf>, keys: string[]) =>
    Promise.all(keys.map((work_key) => captureOf(work_key, { batch })));

  test('whose request failed spools each of its lines, in order', async () => {
    sink.mood = 'refuse';
    const results = await all(batchOf(), ['a', 'b', 'c']);
    expect(results.map((one) => one.kept)).toEqual(['spool', 'spool', 'spool']);
    expect(readSpool(folder).captures).toEqual(results.map((one) => one.line));
  });

  test('spools the one line that the server refuses', async () => {
    const batch = batchOf();
    const results = await Promise.all([batch.add('{"work_key":"a","task_name":"t"}'), batch.add('{"n":1}')]);
    expect(results.map((one) => one.kept)).toEqual(['server', 'spool']);
    expect(readSpool(folder).captures).toEqual(['{"n":1}']);
  });

  test('sends again what the database could not take just then', async () => {
    sink.mood = 'unready';
    const results = await all(batchOf(), ['a', 'b']);
    expect(results.map((one) => one.kept)).toEqual(['server', 'server']);
    expect(sink.requests).toHaveLength(2);
  });

  test('sends again what an answer that broke off says nothing of, under the same capture_id', async () => {
    sink.mood = 'halt';
    const results = await all(batchOf(), ['a', 'b', 'c']);
    expect(results.map((one) => one.kept)).toEqual(['server', 'server', 'server']);
    expect(new Set(sink.lines.map(idOf))).toEqual(new Set(results.map((one) => idOf(one.line))));
  });

  test('waits for a busy server as long as it says', async () => {
    sink.mood = 'busy';
    const results = all(batchOf(), ['a', 'b']);
    await sink.next_request();
    sink.mood = 'take';
    expect((await results).map((one) => one.kept)).toEqual(['server', 'server']);
  });

  test('holds no more in memory than it may: what comes on top goes to the spool at once', async () => {
    sink.mood = 'stall';
    const batch = batchOf({ max_held_bytes: 1, timeout_ms: 600_000 });
    const first = captureOf('a', { batch });
    const second = await captureOf('b', { batch });
    expect(second).toMatchObject({ kept: 'spool', reason: expect.stringContaining('as many captures as it may') });
    sink.mood = 'take';
    sink.reset_all();
    expect((await first).kept).toBe('server');
  });
});

describe('a geometry over the size rule', () => {
  const bytes = new Uint8Array(SIZE_RULE_BYTES + 1).map((_, i) => i % 251);
  const sha256 = sha256Of(bytes);
  const captureLarge = (more: Partial<CaptureOptions> = {}, geometry: Uint8Array | string = bytes) =>
    capture(failure, { work_key: 'large', geometry }, options(more));
  const blobs = () => (existsSync(join(folder, 'blobs')) ? readdirSync(join(folder, 'blobs')) : []);

  test('goes to the blob store first, and its line names it', async () => {
    const result = await captureLarge();
    expect(result.kept).toBe('server');
    expect(sink.blobs.get(sha256)?.equals(bytes)).toBe(true);
    expect(JSON.parse(result.line)).toMatchObject({ payload_ref: `sha256:${sha256}`, geom_format: 'wkb' });
    expect(JSON.parse(result.line)).not.toHaveProperty('geom_wkb');
    expect(blobs()).toEqual([]);
  });

  test('given as text lies there as its bytes, and one of the size rule exactly goes in its line', async () => {
    const wkt = `LINESTRING(${'0 1,'.repeat(SIZE_RULE_BYTES / 4)}0 1)`;
    const result = await captureLarge({}, wkt);
    expect(JSON.parse(result.line)).toMatchObject({
      payload_ref: `sha256:${sha256Of(Buffer.from(wkt))}`,
      geom_format: 'wkt',
    });
    expect(sink.blobs.get(sha256Of(Buffer.from(wkt)))?.toString()).toBe(wkt);
    expect(JSON.parse((await captureLarge({}, bytes.subarray(1))).line)).toHaveProperty('geom_wkb');
  });

  test.each([404, 503, 'stall'] as const)(
    'lies in the spool with its line when the blob store says %s',
    async (mood) => {
      sink.blob_mood = mood;
      const result = await captureLarge(mood === 'stall' ? { timeout_ms: 2500 } : {});
      expect(result.kept).toBe('spool');
      expect(readSpool(folder).captures).toEqual([result.line]);
      expect(blobs()).toEqual([sha256]);
      expect(readFileSync(join(folder, 'blobs', sha256)).equals(bytes)).toBe(true);
      expect(sink.lines).toEqual([]);
    },
  );

  test('goes to the spool too when the server took it but not its line', async () => {
    sink.mood = 'refuse';
    const result = await captureLarge();
    expect(result.kept).toBe('spool');
    expect(blobs()).toEqual([sha256]);
  });

  test('does not keep small captures from the server when only the blob store is too slow', async () => {
    sink.blob_mood = 'stall';
    expect((await captureLarge({ timeout_ms: 2500 })).kept).toBe('spool');
    expect((await captureOf('small')).kept).toBe('server');
  });

  test('goes in its line, as a last resort, where there is no blob store and no spool', async () => {
    sink.blob_mood = 404;
    const result = await captureLarge({ spool: false });
    expect(result.kept).toBe('server');
    expect(sink.captures[0]?.geom_wkb).toBe(Buffer.from(bytes).toString('hex'));
  });

  test('that nothing takes is given whole to on_capture_error', async () => {
    const lost: string[] = [];
    const result = await captureLarge({
      url: nobody,
      timeout_ms: 2500,
      spool: brokenSpool,
      on_capture_error: (line) => lost.push(line),
    });
    expect(result.kept).toBe('nowhere');
    expect(JSON.parse(lost[0] ?? '').geom_wkb).toBe(Buffer.from(bytes).toString('hex'));
  });
});
