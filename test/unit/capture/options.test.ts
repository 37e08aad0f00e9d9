import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type CaptureOptions,
  type CapturePayload,
  capture,
  type DeadLetterOptions,
  deadLetterOnFailure,
} from '@/lib/capture';
import { type CaptureSink, captureSink } from './capture-sink';

let sink: CaptureSink;
let warnings: string[];
beforeEach(async () => {
  sink = await captureSink();
  warnings = [];
});
afterEach(() => sink.close());
const warn = (text: string) => warnings.push(text);
const wrap = (options: object) => deadLetterOnFailure(options as DeadLetterOptions<[]>);

describe('a mistake in the options', () => {
  test.each([
    [{ url: 'http://127.0.0.1:1', task_nmae: 'clip' }, /no option “task_nmae”; did you mean task_name\?/],
    [{ urll: 'http://127.0.0.1:1' }, /no option “urll”; did you mean url\?.*url is missing/],
    [{ url: 'http://127.0.0.1:1', zzzzzzzzzzz: 1 }, /no option “zzzzzzzzzzz”$/],
    [{}, /url is missing; give the address/],
    [{ url: '' }, /url is missing/],
    [{ url: 'localhost:3000' }, /url is no http address but “localhost:3000”/],
    [{ url: 7 }, /url is no http address but “number”/],
    [{ url: 'ftp://me:secret@host' }, /“ftp:\/\/…@host”/],
  ])('is told when the task is wrapped: %j', (options, told) => {
    const given = { payload: () => ({ work_key: 'k' }), ...options };
    expect(() => wrap(given)).toThrow(TypeError);
    expect(() => wrap(given)).toThrow(told);
  });

  test('stops no capture that is made by hand: it warns once and goes on with what it has', async () => {
    const options = { url: sink.url, task_nmae: 'clip', code_version: '1', warn } as CaptureOptions;
    await capture(new Error('x'), { work_key: 'a' }, options);
    await capture(new Error('x'), { work_key: 'b' }, options);
    expect(sink.captures.map((one) => one.work_key)).toEqual(['a', 'b']);
    expect(warnings).toEqual([expect.stringContaining('no option “task_nmae”; did you mean task_name?')]);
  });

  test('of the address is the reason of a capture, which does not wait for it; no options at all throw nothing', async () => {
    const lost: string[] = [];
    const on_capture_error = (_: string, reason: string) => lost.push(reason);
    const options = { urll: sink.url, spool: false, warn, on_capture_error, timeout_ms: 600_000 };
    const result = await capture(new Error('x'), { work_key: 'a' }, options as unknown as CaptureOptions);
    expect(result.kept).toBe('nowhere');
    expect(lost).toEqual([expect.stringMatching(/^url is missing/)]);
    expect((await capture(new Error('x'), { work_key: 'a' }, undefined as unknown as CaptureOptions)).kept).toBe(
      'nowhere',
    );
  });
});

describe('the members of a payload', () => {
  const captured = async (task_name: string, payload: object | (() => object), more: Partial<CaptureOptions> = {}) => {
    const options = { url: sink.url, code_version: '1', task_name, warn, ...more };
    await capture(new Error('x'), payload as CapturePayload, options);
    return sink.captures.at(-1);
  };

  test.each([
    [{ geom_wkt: 'POINT(1 2)' }, { geom_wkt: 'POINT(1 2)' }],
    [{ geometry: null, geom_wkb: '\\x0101000000' }, { geom_wkb: '0101000000' }],
    [{ geom_wkb: Buffer.from([1, 1, 0, 0, 0, 9]).toString('base64') }, { geom_wkb: '010100000009' }],
    [
      { geom_geojson: { type: 'Point', coordinates: [1, 2] } },
      { geom_geojson: { type: 'Point', coordinates: [1, 2] } },
    ],
    [{ geom_geojson: '{"type":"Point"}' }, { geom_geojson: '{"type":"Point"}' }],
  ])('%j is the geometry', async (given, kept) => {
    const stored = await captured('aliases', { work_key: 'k', ...given });
    expect(stored).toMatchObject(kept);
    expect(stored).not.toHaveProperty('params');
    expect(warnings).toEqual([]);
  });

  test('that no field has are named once with the nearest, and kept', async () => {
    const payload = { work_kei: 'k', qqqqqqqqqqqq: 7, geometry: 'POINT(1 2)', geom_wkt: 'POINT(3 4)' };
    const stored = await captured('unknown', payload);
    await captured('unknown', payload);
    expect(stored).toMatchObject({
      geom_wkt: 'POINT(1 2)',
      params: { $unfit: { work_kei: 'k', qqqqqqqqqqqq: 7, geom_wkt: 'POINT(3 4)' } },
    });
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain(
      '"work_kei" (did you mean work_key?), "qqqqqqqqqqqq", "geom_wkt" (a second geometry)',
    );
    expect(warnings[0]).not.toContain('POINT');
  });

  test('pass redaction under the name that they were given, and as the geometry', async () => {
    const payload = { work_key: 'k', geom_wkt: 'POINT(1 2)' };
    for (const redact of [{ geom_wkt: () => undefined }, { geometry: () => undefined }] as CaptureOptions['redact'][])
      expect(await captured('redacted', payload, { redact })).not.toHaveProperty('geom_wkt');
  });

  test('that cannot be made, or not redacted, are told once without their words', async () => {
    const fails = () => {
      throw new RangeError('secret');
    };
    for (let i = 0; i < 2; i += 1) {
      await captured('throwing', fails);
      await captured('redacting', { work_key: 'k' }, { redact: fails });
    }
    expect(warnings).toEqual([
      expect.stringContaining('payload() of task "throwing" threw RangeError'),
      expect.stringContaining('redact of task "redacting" failed (RangeError)'),
    ]);
  });
});
