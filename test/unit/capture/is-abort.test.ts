import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { classify } from '@/lib/capture';
import { isAbort } from '@/lib/capture/is-abort';
import { thrownBy } from './thrown-by';

describe('a cancellation', () => {
  test('of fetch, of a timer, of a child process is none of the task’s failures', async () => {
    const server = createServer(() => {}).listen(0, '127.0.0.1');
    await new Promise((listening) => server.once('listening', listening));
    const { port } = server.address() as { port: number };
    const abortedSoon = (controller: AbortController) => {
      setImmediate(() => controller.abort());
      return controller.signal;
    };
    const fetched = await thrownBy(() =>
      fetch(`http://127.0.0.1:${port}`, { signal: abortedSoon(new AbortController()) }),
    );
    server.close();
    server.closeAllConnections();
    const slept = await thrownBy(() => pause(60_000, null, { signal: abortedSoon(new AbortController()) }));
    const child = await thrownBy(() =>
      promisify(execFile)(process.execPath, ['-e', 'setTimeout(()=>{},60000)'], {
        signal: abortedSoon(new AbortController()),
      }),
    );
    expect([fetched, slept, child].map((error) => isAbort(error))).toEqual([true, true, true]);
  });

  test('with a reason of its own is known by the signal that the task was given, also one level down', () => {
    const reason = new Error('the operator stopped the run');
    const controller = new AbortController();
    controller.abort(reason);
    const { signal } = controller;
    expect(isAbort(reason, [{ key: 1 }, signal])).toBe(true);
    expect(isAbort(reason, [{ signal }])).toBe(true);
    expect(isAbort(new Error('read failed', { cause: reason }), [{ signal }])).toBe(true);
    expect(isAbort(reason, [])).toBe(false);
    expect(isAbort(new Error('another'), [{ signal }])).toBe(false);
    expect(isAbort(reason, [{ signal: new AbortController().signal }])).toBe(false);
  });

  test('of clients with words of their own: the AWS SDK, axios, got, execa', () => {
    expect(isAbort(Object.assign(new Error('Request aborted'), { name: 'AbortError' }))).toBe(true);
    expect(isAbort(Object.assign(new Error('canceled'), { name: 'CanceledError', code: 'ERR_CANCELED' }))).toBe(true);
    expect(isAbort(Object.assign(new Error('Promise was canceled'), { name: 'CancelError' }))).toBe(true);
    expect(isAbort(Object.assign(new Error('Command was canceled'), { isCanceled: true }))).toBe(true);
    expect(isAbort(new AggregateError([new DOMException('', 'AbortError')]))).toBe(true);
    expect(isAbort(new AggregateError([new DOMException('', 'AbortError'), new Error('x')]))).toBe(false);
    expect(isAbort(new AggregateError([]))).toBe(false);
  });
});

describe('a deadline', () => {
  test('is a failure of the upstream, also where a library throws an AbortError on account of it', async () => {
    const signal = AbortSignal.timeout(1);
    const slept = await thrownBy(() => pause(60_000, null, { signal }));
    expect((slept as Error).name).toBe('AbortError');
    const combined = AbortSignal.any([AbortSignal.timeout(1), new AbortController().signal]);
    await new Promise((done) => combined.addEventListener('abort', done));
    for (const error of [slept, signal.reason, combined.reason]) {
      expect(isAbort(error, [{ signal }, combined])).toBe(false);
      expect(classify(error)).toBe('upstream_timeout');
    }
  });
});
