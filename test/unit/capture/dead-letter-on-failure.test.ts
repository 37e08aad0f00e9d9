import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { capture, captureBatch, deadLetterOnFailure, flush } from '@/lib/capture';
import type { CapturePayload } from '@/lib/capture/options';
import { type CaptureSink, captureSink } from './capture-sink';

// These run real libraries, children and servers; a busy machine is no reason to call them failed.
vi.setConfig({ testTimeout: 60_000 });

let sink: CaptureSink;
beforeEach(async () => {
  sink = await captureSink();
});
afterEach(async () => {
  await flush();
  await sink.close();
});

const work = { key: 'parcels/39/035/88213', bytes: new Uint8Array([1, 1, 0, 0, 0]) };
type Work = typeof work;

function options(more: object = {}) {
  return {
    url: sink.url,
    code_version: '2.14.0',
    run_id: 'nightly-2026-11-29',
    timeout_ms: 2000,
    payload: (given: Work): CapturePayload => ({
      work_key: given.key,
      geometry: given.bytes,
      src_crs: 'EPSG:32122',
      tile_z: 14,
      tile_x: 4473,
      tile_y: 6116,
      params: { densify_m: 25, nodata: Number.NaN },
    }),
    ...more,
  };
}

describe('a task wrapped by deadLetterOnFailure', () => {
  test('an async task raises the same error, after its capture was stored', async () => {
    const error = new RangeError('bounds lie outside');
    async function reproject_parcels(_: Work): Promise<number> {
      throw error;
    }
    await expect(deadLetterOnFailure(options())(reproject_parcels)(work)).rejects.toBe(error);
    expect(sink.captures).toHaveLength(1);
    expect(sink.captures[0]).toMatchObject({
      work_key: 'parcels/39/035/88213',
      task_name: 'reproject_parcels',
      queue: 'default',
      code_version: '2.14.0',
      run_id: 'nightly-2026-11-29',
      geom_wkb: '0101000000',
      src_crs: 'EPSG:32122',
      tile_z: 14,
      failure_class: 'unknown',
      error_class: 'fatal',
      error_type: 'RangeError',
      error_text: 'bounds lie outside',
      params: { densify_m: 25, nodata: null, $replaced: { '/nodata': 'NaN' } },
    });
    expect(sink.captures[0]?.traceback).toContain('dead-letter-on-failure.test.ts');
  });

  test('a sync task raises the same error at once, and flush awaits its capture', async () => {
    const error = new Error('now');
    const task = deadLetterOnFailure(options({ task_name: 'clip' }))((_: Work): number => {
      throw error;
    });
    expect(() => task(work)).toThrow(error);
    expect(sink.captures).toHaveLength(0);
    await flush();
    expect(sink.captures[0]).toMatchObject({ task_name: 'clip', error_text: 'now' });
  });

  test('a task that succeeds is left alone: its result, its name, its this', async () => {
    const owner = {
      factor: 3,
      scale: deadLetterOnFailure({ ...options(), payload: (by: number) => ({ work_key: `k/${by}` }) })(function scale(
        this: { factor: number },
        by: number,
      ) {
        return this.factor * by;
      }),
    };
    expect(owner.scale(2)).toBe(6);
    expect(owner.scale.name).toBe('scale');
    expect(sink.captures).toHaveLength(0);
  });

  test('a cancelled task is no failure unless asked', async () => {
    const stop = async (_: Work) => AbortSignal.abort().throwIfAborted();
    await expect(deadLetterOnFailure(options())(stop)(work)).rejects.toThrow();
    expect(sink.captures).toHaveLength(0);
    await expect(deadLetterOnFailure(options({ capture_aborts: true }))(stop)(work)).rejects.toThrow();
    expect(sink.captures).toHaveLength(1);
  });

  test('what is thrown need not be an Error', async () => {
    for (const thrown of ['text', null, undefined, 7, { code: 'ECONNRESET' }]) {
      const task = async (_: Work) => {
        throw thrown;
      };
      await expect(deadLetterOnFailure(options())(task)(work)).rejects.toBe(thrown);
    }
    expect(sink.captures.map((one) => one.error_type)).toEqual(['string', 'null', 'undefined', 'number', 'Object']);
    expect(sink.captures.at(-1)?.failure_class).toBe('upstream_timeout');
  });

  test('the original error is always raised, for arbitrary payloads and thrown values', async () => {
    const lost: string[] = [];
    await fc.assert(
      fc.asyncProperty(fc.anything(), fc.anything(), async (payload, thrown) => {
        const task = async (_: Work) => {
          throw thrown;
        };
        const wrapped = deadLetterOnFailure({
          ...options(),
          payload: (_: Work) => payload as CapturePayload,
          on_capture_error: (line: string, reason: string) => lost.push(`${reason} ${line}`),
        })(task);
        const raised = await wrapped(work).then(
          () => ({ nothing: true }),
          (error: unknown) => ({ error }),
        );
        expect('error' in raised && Object.is(raised.error, thrown)).toBe(true);
      }),
      { numRuns: 200 },
    );
    expect(lost).toEqual([]);
    expect(sink.captures).toHaveLength(200);
  });

  test('arbitrary values in the contract’s own fields never make the server refuse the capture', async () => {
    const names = ['work_key', 'task_id', 'srid', 'src_crs', 'tile_z', 'source_uris', 'source_window', 'nodata'];
    const more = ['params', 'error_class', 'failed_at', 'attempt_id', 'sensitive', 'geometry', 'queue', 'payload_ref'];
    const long = fc.integer({ min: 150, max: 2500 }).map((length) => 'é'.repeat(length));
    const value = fc.oneof(fc.anything(), long, fc.date().map(String), fc.constant('+020000-01-01T00:00:00Z'));
    const fields = fc.dictionary(fc.constantFrom(...names, ...more, 'run_id', 'failure_class', 'task_name'), value);
    const lost: string[] = [];
    await fc.assert(
      fc.asyncProperty(fields, async (payload) => {
        const given = payload as unknown as CapturePayload;
        await capture(new Error('x'), given, {
          url: sink.url,
          code_version: '1',
          on_capture_error: (line, reason) => lost.push(`${reason} ${line}`),
        });
      }),
      { numRuns: 200 },
    );
    expect(lost).toEqual([]);
  });

  test('a value that its field cannot hold is kept beside the params, and the default stands in', async () => {
    const payload = { work_key: 'k', queue: 'q'.repeat(201), srid: 'four', failed_at: 'yesterday', layer: 7 };
    await capture(new Error('x'), payload as unknown as CapturePayload, {
      url: sink.url,
      queue: 'nightly',
      now: () => new Date('2026-01-02T03:04:05Z'),
    });
    expect(sink.captures[0]).toMatchObject({
      queue: 'nightly',
      failed_at: '2026-01-02T03:04:05.000Z',
      params: { $unfit: { queue: 'q'.repeat(201), srid: 'four', failed_at: 'yesterday', layer: 7 } },
    });
  });

  test('a class that the payload gives is believed, and decides whether waiting helps', async () => {
    await capture(new Error('x'), { work_key: 'k', failure_class: 'oom' }, { url: sink.url });
    expect(sink.captures[0]).toMatchObject({ failure_class: 'oom', error_class: 'transient' });
  });

  test('a payload function that throws still leaves a capture that names it', async () => {
    const task = async (_: Work) => JSON.parse('<html>');
    const broken = options({
      payload: () => {
        throw new Error('no payload');
      },
    });
    await expect(deadLetterOnFailure(broken)(task)(work)).rejects.toThrow(SyntaxError);
    expect(sink.captures[0]).toMatchObject({ params: { $unfit: { payload_error: 'Error: no payload' } } });
    expect(sink.captures[0]?.work_key).toMatch(/^task\/unkeyed\/[0-9a-f]{32}$/);
  });
});

describe('a server that does not answer well', () => {
  test('a stalled server delays the error by no more than the deadline, and the line is handed over', async () => {
    sink.mood = 'stall';
    const given: { line: string; reason: string }[] = [];
    const error = new Error('task');
    const task = deadLetterOnFailure(
      options({ timeout_ms: 80, on_capture_error: (line: string, reason: string) => given.push({ line, reason }) }),
    )(async (_: Work) => {
      throw error;
    });
    const started = performance.now();
    await expect(task(work)).rejects.toBe(error);
    expect(performance.now() - started).toBeLessThan(3000);
    expect(given).toHaveLength(1);
    expect(JSON.parse(given[0]?.line ?? '')).toMatchObject({ work_key: work.key });
    expect(given[0]?.reason).toContain('timeout');
  });

  test('a server that is starting is tried again with the same capture_id', async () => {
    sink.mood = 'fail once';
    const result = await capture(new Error('x'), { work_key: 'k' }, { url: sink.url, code_version: '1' });
    expect(result).toMatchObject({ kept: 'server', work_key: 'k', attempts: 1, outcome: 'created' });
    expect(sink.requests).toHaveLength(2);
    expect(sink.captures[0]?.capture_id).toBe(JSON.parse(result.line).capture_id);
  });

  test('a refusal is not tried again and names its reason', async () => {
    sink.mood = 'refuse';
    const reasons: string[] = [];
    const result = await capture(
      new Error('x'),
      { work_key: 'k' },
      { url: sink.url, on_capture_error: (_, reason) => reasons.push(reason) },
    );
    expect(result.kept).toBe('nowhere');
    expect(reasons[0]).toContain('over the limit');
    expect(sink.requests).toHaveLength(1);
  });

  test('no server, an answer that is none, and a report that throws change nothing for the task', async () => {
    const report = () => {
      throw new Error('the report failed');
    };
    for (const url of ['http://127.0.0.1:59998', 'not a url', sink.url]) {
      sink.mood = 'nonsense';
      const result = await capture(
        new Error('x'),
        { work_key: 'k' },
        { url, timeout_ms: 100, on_capture_error: report },
      );
      expect(result.kept).toBe('nowhere');
    }
  });
});

describe('the rest of a capture', () => {
  test('geometry is kept in the form it was given', async () => {
    const send = (geometry: Uint8Array | string | object) =>
      capture(new Error('x'), { work_key: 'k', geometry }, { url: sink.url, code_version: '1' });
    await send(Buffer.from('00c0ffee', 'hex'));
    await send('POINT(0.1 2)');
    await send({ type: 'Point', coordinates: [Number.NaN, 2] });
    expect(sink.captures[0]?.geom_wkb).toBe('00c0ffee');
    expect(sink.captures[1]?.geom_wkt).toBe('POINT(0.1 2)');
    expect(sink.captures[2]?.geom_geojson).toEqual({ type: 'Point', coordinates: [null, 2] });
    expect(sink.captures[2]?.params).toEqual({ $replaced: { 'geom_geojson:/coordinates/0': 'NaN' } });
  });

  test('attempt_id, token and the classifier of the caller are passed on', async () => {
    const attempt_id = crypto.randomUUID();
    await capture(
      new Error('x'),
      { work_key: 'k', attempt_id },
      { url: sink.url, token: 't0ken', classify: () => 'licence_expired', now: () => new Date('2026-01-02T03:04:05Z') },
    );
    expect(sink.captures[0]).toMatchObject({
      attempt_id,
      failure_class: 'licence_expired',
      failed_at: '2026-01-02T03:04:05.000Z',
    });
    expect(sink.requests[0]?.authorization).toBe('Bearer t0ken');
  });

  test('a long traceback keeps its head and its tail, where the causes are', async () => {
    const cause = new Error(`deep ${'y'.repeat(3000)} end of the cause`);
    const error = new Error('top', { cause });
    error.stack = `Error: top\n${'    at frame (file.ts:1:1)\n'.repeat(1000)}`;
    await capture(error, { work_key: 'k' }, { url: sink.url });
    const traceback = String(sink.captures[0]?.traceback);
    expect(traceback).toMatch(/^Error: top/);
    expect(traceback).toMatch(/characters cut/);
    expect(traceback).toContain('end of the cause');
    expect(traceback.length).toBeLessThan(10_200);
  });

  test('NUL and lone surrogates in the error reach the server as visible escapes', async () => {
    await capture(new Error('a\0b\udc00'), { work_key: 'k\0' }, { url: sink.url });
    expect(sink.captures[0]).toMatchObject({ error_text: 'a␀b\\udc00', work_key: 'k␀' });
  });

  test('a batch goes as NDJSON and each capture gets the answer to its own line', async () => {
    const batch = captureBatch({ url: sink.url, max_lines: 3, max_wait_ms: 5 });
    const keys = ['a', 'b', 'a', 'c'];
    const results = await Promise.all(
      keys.map((work_key) => capture(new Error('x'), { work_key }, { url: sink.url, batch })),
    );
    expect(results.map((one) => one.kept === 'server' && `${one.work_key} ${one.outcome}`)).toEqual([
      'a created',
      'b created',
      'a repeated',
      'c created',
    ]);
    expect(sink.requests.map((one) => one.content_type)).toEqual(['application/x-ndjson', 'application/x-ndjson']);
  });
});
