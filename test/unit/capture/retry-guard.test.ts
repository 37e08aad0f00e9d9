import pRetry from 'p-retry';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type CapturePayload, deadLetterOnFailure, flush } from '@/lib/capture';
import { retryGuard } from '@/lib/capture/retry-guard';
import { type CaptureSink, captureSink } from './capture-sink';

let sink: CaptureSink;
let warnings: string[];
beforeEach(async () => {
  sink = await captureSink();
  warnings = [];
});
afterEach(async () => {
  await flush();
  await sink.close();
});

interface Parcel {
  key: string;
}
const parcel: Parcel = { key: 'parcels/1' };
const options = (task_name: string) => ({
  url: sink.url,
  code_version: '1',
  task_name,
  warn: (message: string) => warnings.push(message),
  payload: (one: Parcel): CapturePayload => ({ work_key: one.key }),
});
const retries = { retries: 2, minTimeout: 1, maxTimeout: 1 };

describe('the example with p-retry', () => {
  test('outside the retry, three tries give one capture and no warning', async () => {
    let tries = 0;
    const reprojectParcel = async (one: Parcel) => {
      tries += 1;
      throw new RangeError(`no bounds for ${one.key}, try ${tries}`);
    };

    const reproject = deadLetterOnFailure(options('outside'))((one: Parcel) =>
      pRetry(() => reprojectParcel(one), retries),
    );

    await expect(reproject(parcel)).rejects.toThrow('try 3');
    expect(tries).toBe(3);
    expect(sink.captures.map((one) => one.error_text)).toEqual(['no bounds for parcels/1, try 3']);
    expect(warnings).toEqual([]);
  });

  test('inside the retry, every try is captured, and one warning says so and what to do', async () => {
    const reproject = deadLetterOnFailure(options('inside'))(async (_: Parcel) => {
      throw new RangeError('no bounds');
    });
    await expect(pRetry(() => reproject(parcel), retries)).rejects.toThrow('no bounds');
    await expect(pRetry(() => reproject(parcel), retries)).rejects.toThrow('no bounds');
    expect(sink.captures).toHaveLength(6);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain('"inside" seems to be captured at every try: p-retry is among its callers');
    expect(warnings[0]).toContain('deadLetterOnFailure(options)((work) => pRetry(() => task(work)))');
  });

  test('an AbortError of p-retry ends the tries and is a failure, captured as the error it carries', async () => {
    const { AbortError } = await import('p-retry');
    const error = new RangeError('hopeless');
    const task = deadLetterOnFailure(options('hopeless'))((_: Parcel) =>
      pRetry(() => Promise.reject(new AbortError(error)), retries),
    );
    await expect(task(parcel)).rejects.toBe(error);
    const within = deadLetterOnFailure(options('hopeless within'))(() => Promise.reject(new AbortError(error)));
    await expect(within(parcel)).rejects.toThrow();
    expect(sink.captures.map((one) => one.error_text)).toEqual(['hopeless', 'hopeless']);
  });
});

describe('a retry written by hand', () => {
  test('is seen by one work_key captured again, and told without the key', async () => {
    const task = deadLetterOnFailure(options('by hand'))(async (_: Parcel) => {
      throw new Error('no');
    });
    for (let i = 0; i < 3; i += 1) await task(parcel).catch(() => {});
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain('captured twice within 30 s');
    expect(warnings[0]).not.toContain(parcel.key);
  });

  test('is not suspected where other work fails, where a redrive tries again, or after the while', () => {
    let now = 0;
    const heard: string[] = [];
    const guard = retryGuard(
      'patient',
      (message) => heard.push(message),
      () => now,
    );
    for (let i = 0; i < 3000; i += 1) guard.captured(`k/${i}`);
    guard.captured('k/0');
    guard.captured(undefined);
    guard.captured(undefined);
    now = 31_000;
    guard.captured('k/0');
    expect(heard).toEqual([]);
    guard.captured('k/0');
    expect(heard).toHaveLength(1);
  });

  test('a redrive of one key, and a warning that cannot be told, change nothing', async () => {
    const failing = async (_: Parcel) => {
      throw new Error('no');
    };
    const attempt_id = '0b8f9a52-1c2d-8e3f-8a4b-5c6d7e8f9a0b';
    const redriven = deadLetterOnFailure({
      ...options('redriven'),
      payload: (one: Parcel): CapturePayload => ({ work_key: one.key, attempt_id }),
    })(failing);
    for (let i = 0; i < 2; i += 1) await redriven(parcel).catch(() => {});
    expect(warnings).toEqual([]);
    const mute = deadLetterOnFailure({
      ...options('mute'),
      warn: () => {
        throw new Error('no paper');
      },
    })(failing);
    for (let i = 0; i < 2; i += 1) await expect(mute(parcel)).rejects.toThrow('no');
    expect(sink.captures).toHaveLength(4);
  });
});
