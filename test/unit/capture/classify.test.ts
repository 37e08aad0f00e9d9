import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import proj4 from 'proj4';
import { describe, expect, test, vi } from 'vitest';
import { classify } from '@/lib/capture/classify';
import { isAbort } from '@/lib/capture/is-abort';
import { thrownBy } from './thrown-by';

// These run real libraries, children and servers; a busy machine is no reason to call them failed.
vi.setConfig({ testTimeout: 60_000 });

describe('the classifier, on errors as the libraries throw them', () => {
  test('proj4 throws text for a code it does not know: crs_mismatch', async () => {
    const error = await thrownBy(() => proj4('EPSG:26592', 'EPSG:4326', [0, 0]));
    expect(typeof error).toBe('string');
    expect(classify(error)).toBe('crs_mismatch');
    expect(classify(await thrownBy(() => proj4('+proj=foo', 'EPSG:4326', [0, 0])))).toBe('crs_mismatch');
  });

  test('proj4 refuses a vertex that is not finite: invalid_geometry', async () => {
    const error = await thrownBy(() => proj4('EPSG:3857', 'EPSG:4326', [Number.NaN, 0]));
    expect(classify(error)).toBe('invalid_geometry');
  });

  test('a deadline is upstream_timeout, and is no abort', async () => {
    const signal = AbortSignal.timeout(1);
    await new Promise((done) => signal.addEventListener('abort', done));
    expect(classify(signal.reason)).toBe('upstream_timeout');
    expect(isAbort(signal.reason)).toBe(false);
    expect(isAbort(await thrownBy(() => AbortSignal.abort().throwIfAborted()))).toBe(true);
  });

  test('a refused connection is found among the causes of "fetch failed"', async () => {
    const error = await thrownBy(() => fetch('http://127.0.0.1:59999/'));
    expect(error).toBeInstanceOf(TypeError);
    expect(classify(error)).toBe('upstream_timeout');
  });

  test('a child process that ran out of heap is oom', async () => {
    const grow = 'const a=[];for(;;)a.push(new Array(1e4).fill(0.5))';
    const error = await thrownBy(() => promisify(execFile)(process.execPath, ['--max-old-space-size=16', '-e', grow]));
    expect(classify(error)).toBe('oom');
  });

  test('a worker thread that ran out of memory is oom', async () => {
    const error = await thrownBy(
      () =>
        new Promise((_, reject) => {
          const grow = 'const a=[];for(;;)a.push(new Array(1e4).fill(0.5))';
          new Worker(grow, { eval: true, resourceLimits: { maxOldGenerationSizeMb: 8 } }).on('error', reject);
        }),
    );
    expect(classify(error)).toBe('oom');
  });

  test('an array buffer that cannot be allocated is oom', async () => {
    expect(classify(await thrownBy(() => new ArrayBuffer(2 ** 52)))).toBe('oom');
  });

  test('what no rule knows is unknown', async () => {
    expect(classify(await thrownBy(() => readFile('no/such/file')))).toBe('unknown');
    expect(classify(await thrownBy(() => JSON.parse('<html>')))).toBe('unknown');
    expect(classify(undefined)).toBe('unknown');
  });

  test('GEOS by its message, PostgreSQL by its code, a killed process by its exit code', () => {
    expect(classify(new Error('TopologyException: side location conflict at 1 2'))).toBe('invalid_geometry');
    expect(classify(Object.assign(new Error('canceling statement'), { code: '57014' }))).toBe('upstream_timeout');
    expect(classify(Object.assign(new Error('gdalwarp'), { code: 137 }))).toBe('oom');
    expect(classify(new Error('transform: Invalid coordinate (2049)'))).toBe('crs_mismatch');
  });

  test('an error whose causes form a ring is classified and ends', () => {
    const a = new Error('a');
    const b = Object.assign(new Error('b'), { code: 'ECONNRESET', cause: a });
    a.cause = b;
    expect(classify(a)).toBe('upstream_timeout');
  });
});
