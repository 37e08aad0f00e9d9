import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { capture, deadLetterOnFailure, flush, type Spool } from '@/lib/capture';
import { readSpool } from '../unit/capture/read-spool';
import { brokenSpool, type ClientWorld, failure, idOf, makeClientWorld } from './client-world';

let world: ClientWorld;
let sink: ClientWorld['sink'];
let folder: ClientWorld['folder'];
let nobody: ClientWorld['nobody'];
let warnings: ClientWorld['warnings'];
let options: ClientWorld['options'];
let captureOf: ClientWorld['captureOf'];
beforeEach(async () => {
  world = await makeClientWorld();
  ({ sink, folder, nobody, warnings, options, captureOf } = world);
});
afterEach(() => world.remove());

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

describe('captures without a spool', () => {
  const without = (more: object = {}) => ({ spool: false as const, on_capture_error: () => {}, ...more });

  test('ask a server that does not answer once each, after the first has used its time', async () => {
    const reset = without({ timeout_ms: 1000 });
    sink.mood = 'reset';
    expect((await captureOf('first', reset)).kept).toBe('nowhere');
    const first = sink.requests.length;
    expect(first).toBeGreaterThan(1);
    for (let i = 0; i < 30; i += 1) expect((await captureOf(`k${i}`, reset)).kept).toBe('nowhere');
    expect(sink.requests.length - first).toBe(30);
  });

  test('do not wait out their time one after the other for a server that stalls', async () => {
    sink.mood = 'stall';
    await captureOf('first', without({ timeout_ms: 50 }));
    expect((await captureOf('next', without({ timeout_ms: 600_000 }))).kept).toBe('nowhere');
  });

  test('reach the server as soon as it is there again', async () => {
    sink.mood = 'reset';
    await captureOf('away', without({ timeout_ms: 300 }));
    sink.mood = 'take';
    expect((await captureOf('back', without())).kept).toBe('server');
  });

  test('wait for a busy server, though it was busy for the one before', async () => {
    sink.mood = 'busy';
    await captureOf('first', without({ timeout_ms: 50 }));
    const before = sink.requests.length;
    const second = captureOf('second', without());
    await vi.waitUntil(() => sink.requests.length > before + 1, { timeout: 10_000 });
    sink.mood = 'take';
    expect((await second).kept).toBe('server');
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
