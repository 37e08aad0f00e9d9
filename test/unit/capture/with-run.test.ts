import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { capture, deadLetterOnFailure, flush, type Run, withRun } from '@/lib/capture';
import { serverState } from '@/lib/capture/server-state';
import { type RunReport, runReportSchema } from '@/lib/contract/run';
import { type CaptureSink, captureSink } from './capture-sink';

let sink: CaptureSink;
let ledger: Server;
let url: string;
let reports: RunReport[];
/** Answers to give before any is taken. */
let refusals: { status: number; headers?: Record<string, string>; text?: string }[];
/** Settled when it answers; what came until then. */
let answering: Promise<unknown>;
let requests: number;
let warnings: string[];

beforeEach(async () => {
  sink = await captureSink();
  reports = [];
  refusals = [];
  warnings = [];
  answering = Promise.resolve();
  requests = 0;
  ledger = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    requests += 1;
    await answering;
    const refusal = refusals.shift();
    if (refusal) return response.writeHead(refusal.status, refusal.headers).end(refusal.text ?? '{"error":{}}');
    const read = runReportSchema.safeParse(JSON.parse(Buffer.concat(chunks).toString()));
    if (!read.success) return response.writeHead(400).end(read.error.message);
    reports.push(read.data);
    response.end('{}');
  }).listen(0, '127.0.0.1');
  await new Promise((listening) => ledger.once('listening', listening));
  url = `http://127.0.0.1:${(ledger.address() as AddressInfo).port}`;
});
afterEach(async () => {
  await flush();
  await sink.close();
  ledger.closeAllConnections();
  await new Promise((done) => ledger.close(done));
});

const options = (more: object = {}) => ({
  url,
  run_id: 'nightly/39',
  task_name: 'reproject_parcels',
  code_version: '2.14.0',
  warn: (message: string) => warnings.push(message),
  ...more,
});
const failing = () =>
  deadLetterOnFailure({
    url: sink.url,
    code_version: '1',
    payload: (key: string) => ({ work_key: key }),
    warn: () => {},
  })(async (key: string) => {
    throw new Error(`no ${key}`);
  });

describe('a run', () => {
  test('is told at its start and at its end, with what was expected, done and captured', async () => {
    const task = failing();
    const result = await withRun(options({ expected: 5, queue: 'nightly' }), async (run) => {
      run.succeeded();
      run.succeeded(2);
      await Promise.all(['a', 'b'].map((key) => task(key).catch(() => {})));
      expect(run.counts).toEqual({ succeeded: 3, dead_lettered: 2 });
      return 'done';
    });
    expect(result).toBe('done');
    const name = { run_id: 'nightly/39', task_name: 'reproject_parcels', queue: 'nightly', code_version: '2.14.0' };
    expect(reports).toEqual([
      { ...name, started_at: expect.any(String), expected: 5, status: 'running' },
      {
        ...name,
        started_at: reports[0]?.started_at,
        expected: 5,
        status: 'finished',
        finished_at: expect.any(String),
        duration_ms: expect.any(Number),
        succeeded: 3,
        dead_lettered: 2,
      },
    ]);
    expect(warnings).toEqual([]);
  });

  test('gives its run_id to the captures within, also after awaits and in generators, and to none outside', async () => {
    await withRun(options(), async () => {
      await new Promise((done) => setImmediate(done));
      await failing()('a').catch(() => {});
      await capture(new Error('x'), { work_key: 'b' }, { url: sink.url });
      await capture(new Error('x'), { work_key: 'c' }, { url: sink.url, run_id: 'another' });
    });
    await capture(new Error('x'), { work_key: 'd' }, { url: sink.url });
    const of = Object.fromEntries(sink.captures.map((one) => [one.work_key, one.run_id]));
    expect(of).toEqual({ a: 'nightly/39', b: 'nightly/39', c: 'another', d: undefined });
    expect(reports.at(-1)?.dead_lettered).toBe(2);
  });

  test('counts a unit that is captured at every try once, and keeps two runs at the same time apart', async () => {
    const one = (run_id: string, keys: string[]) =>
      withRun(options({ run_id }), async (run) => {
        const task = failing();
        for (const key of keys) await task(key).catch(() => {});
        return run.counts.dead_lettered;
      });
    expect(await Promise.all([one('r1', ['a', 'a', 'a']), one('r2', ['a', 'b'])])).toEqual([1, 2]);
  });

  test('that fails is told as failed and raises the same error', async () => {
    const error = Object.freeze(new Error('no more'));
    await expect(withRun(options(), () => Promise.reject(error))).rejects.toBe(error);
    const now = () => {
      throw error;
    };
    await expect(withRun(options({ now: undefined }), now)).rejects.toBe(error);
    expect(reports.map((one) => one.status).sort()).toEqual(['failed', 'failed', 'running', 'running']);
  });

  test('with a manifest names its tiles at the start, and the tiles that succeeded at the end', async () => {
    await withRun(options({ tiles: ['1/0/0', '1/0/1', '1/1/1'] }), async (run) => {
      run.succeeded('1/0/0');
      run.succeeded('1/0/0');
      run.succeeded('1/1/1');
    });
    expect(reports[0]).toMatchObject({ expected: 3, tiles: ['1/0/0', '1/0/1', '1/1/1'] });
    expect(reports[1]).toMatchObject({ succeeded: ['1/0/0', '1/1/1'] });
    expect(reports[1]).not.toHaveProperty('tiles');
  });

  test('wraps a function as a run of its own each time, with its arguments', async () => {
    const nightly = withRun(options({ run_id: undefined }))(async (run, county: string, zoom: number) => {
      run.succeeded();
      return `${county} ${zoom} ${run.run_id}`;
    });
    const [one, other] = [await nightly('039', 14), await nightly('040', 15)];
    expect(one).toMatch(/^039 14 reproject_parcels\/\d{4}-/);
    expect(new Set(reports.map((report) => report.run_id)).size).toBe(2);
    expect(other).not.toContain(reports[0]?.run_id);
  });
});

describe('what is no tile', () => {
  test('is left out and named once, and the rest of the report arrives', async () => {
    const tiles = ['3/1/2', '3/9/9', '3/1/2', '03/1/2', '3/1/3', '30/0/0'];
    await withRun(options({ tiles }), async (run) => {
      for (const done of ['3/1/2', 'junk', '3/8/0', ' 3/1/3', Number.NaN, '4/0/-1', '']) run.succeeded(done);
      expect(run.counts.succeeded).toBe(1);
    });
    expect(reports[0]).toMatchObject({ tiles: ['3/1/2', '3/1/3'], expected: 2 });
    expect(reports[1]).toMatchObject({ succeeded: ['3/1/2'], expected: 2 });
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain(
      'the run "nightly/39" of reproject_parcels: left out of its reports: tiles “3/9/9”, tiles “30/0/0”, succeeded “junk”, succeeded “3/8/0”, succeeded “ 3/1/3” and 3 more: a tile is z/x/y',
    );
  });
});

describe('a ledger that is away', () => {
  test('holds up neither the work by the report of its start, nor for long its result by that of its end', async () => {
    answering = new Promise(() => {});
    const work = vi.fn(async (run: Run) => {
      run.succeeded(2);
      return 7;
    });
    expect(await withRun(options({ expected: 5 }), work)).toBe(7);
    expect(warnings).toEqual([
      `the run "nightly/39" was not reported to the ledger of ${url}: no answer in time; it would have said: reproject_parcels finished, 2 of 5 succeeded, 0 dead-lettered`,
    ]);
    expect(requests).toBe(2);
  }, 8_000);

  test('is known to captures as one, and by them: nothing then asks it but the report of the end', async () => {
    answering = new Promise(() => {});
    await withRun(options({ timeout_ms: 100 }), () => {});
    expect(serverState(url).breaker.mayAsk()).toBe('no');
    requests = 0;
    answering = Promise.resolve();
    await withRun(options({ timeout_ms: 60_000 }), async (run) => run.succeeded());
    expect(requests).toBe(1);
    expect(reports.at(-1)).toMatchObject({ status: 'finished', succeeded: 1 });
    expect(serverState(url).breaker.mayAsk()).toBe('yes');
  });

  test('that refuses is quoted, for each run anew', async () => {
    const text = '{"error":{"code":"forbidden","message":"this token may not report “clip”"}}';
    refusals = Array.from({ length: 4 }, () => ({ status: 403, text }));
    for (let i = 0; i < 2; i++) await withRun(options(), () => {});
    expect(warnings).toHaveLength(2);
    for (const warning of warnings) expect(warning).toContain('HTTP 403: this token may not report “clip”; it would');
  });

  test('costs the run a warning, not its result', async () => {
    const result = await withRun(options({ url: 'http://127.0.0.1:1', timeout_ms: 300 }), () => 7);
    expect(result).toBe(7);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain('the run "nightly/39" was not reported');
    const broken = options({
      url: 'no url',
      timeout_ms: 50,
      warn: () => {
        throw new Error('no paper');
      },
      run_id: () => {
        throw new Error('no id');
      },
      now: () => new Date(Number.NaN),
    });
    expect(await withRun(broken, () => 8)).toBe(8);
  });

  test('is told everything at the end where it did not hear of the start', async () => {
    refusals = [{ status: 403 }];
    await withRun(options({ tiles: ['0/0/0'] }), async (run) => {
      while (refusals.length > 0) await new Promise((done) => setImmediate(done));
      run.succeeded('0/0/0');
    });
    expect(reports).toHaveLength(1);
    expect(reports[0]).toMatchObject({ status: 'finished', tiles: ['0/0/0'], succeeded: ['0/0/0'] });
    expect(warnings).toEqual([]);
  });

  test('that is busy is asked again, and one that refuses is not', async () => {
    refusals = [{ status: 503 }, { status: 429, headers: { 'retry-after': '0' } }];
    await withRun(options(), () => {});
    expect(reports.map((one) => one.status)).toEqual(['running', 'finished']);
    refusals = [{ status: 400 }, { status: 400 }];
    await withRun(options(), () => {});
    expect(warnings[0]).toContain('HTTP 400');
    expect(refusals).toEqual([]);
  });
});
