import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { capture } from '@/lib/capture';
import { captureLine } from '@/lib/capture/capture-line';
import type { Redact } from '@/lib/capture/redact';

const secret = 'hunter2-s3cret';
const payload = {
  work_key: 'parcels/1',
  geometry: 'POINT(1 2)',
  params: { password: secret, snap: 0.01 },
  source_uris: [`https://x.example/a.tif?sig=${secret}`],
};
const error = Object.assign(new RangeError(`no access with ${secret}`, { cause: new Error(`cause ${secret}`) }), {
  code: 'EACCES',
});
const lineOf = (redact: unknown, given: unknown = payload) =>
  captureLine(error, given, { url: 'http://127.0.0.1:1', code_version: '1', redact: redact as Redact }, 'load').line;

describe('a redaction hook', () => {
  test('sees the payload with the error’s words, and what it gives back is what is written', () => {
    const line = lineOf((given: Record<string, unknown>) => ({
      ...given,
      source_uris: null,
      params: { snap: 0.01 },
      error_text: String(given.error_text).replaceAll(secret, '[secret]'),
      traceback: String(given.traceback).replaceAll(secret, '[secret]'),
    }));
    expect(line).not.toContain(secret);
    const read = JSON.parse(line);
    expect(read).toMatchObject({ geom_wkt: 'POINT(1 2)', params: { snap: 0.01 } });
    expect(read.error_text).toBe('no access with [secret]');
    expect(read.traceback).toContain('caused by: Error: cause [secret]');
  });

  test('sees the error’s words whole: no half of a secret stays where a long text is cut', () => {
    const long = new Error(`${'x'.repeat(1995)}${secret}${'y'.repeat(5000)}`);
    const strip = (text?: string) => text?.replaceAll(secret, '…');
    const { line } = captureLine(
      long,
      {},
      { url: 'http://127.0.0.1:1', redact: { error_text: strip, traceback: strip } },
      't',
    );
    expect(JSON.parse(line).error_text).toMatch(/^x{1995}…y{4}\n… \d+ characters cut …\ny{1000}$/);
    expect(line).not.toContain(secret.slice(0, 5));
  });

  test('may be given by field; a field that becomes undefined is gone', () => {
    const strip = (text?: string) => text?.replaceAll(secret, '…');
    const line = lineOf({ params: () => undefined, source_uris: () => [], error_text: strip, traceback: strip });
    expect(line).not.toContain(secret);
    expect(JSON.parse(line)).toMatchObject({ source_uris: [], error_text: 'no access with …' });
    expect(JSON.parse(line)).not.toHaveProperty('params');
  });

  test('that gives back no words of the error leaves none, and the error’s type stays', () => {
    const read = JSON.parse(lineOf(() => ({ work_key: 'k' })));
    expect(read).toMatchObject({ work_key: 'k', error_type: 'RangeError', error_text: '', traceback: '' });
  });

  test('changes what the key is derived from where there is none', () => {
    const key = (password: string) =>
      JSON.parse(lineOf({ params: () => ({}), error_text: () => '' }, { params: { password } })).work_key;
    expect(key('a')).toBe(key('b'));
  });

  test.each([
    ['throws', () => JSON.parse(secret)],
    ['gives nothing', () => undefined],
    ['gives text', () => secret],
    ['is async', async () => ({ ...payload })],
    ['is async and fails', () => Promise.reject(new Error(secret))],
    [
      'throws what has no text',
      () => {
        throw Object.create(null);
      },
    ],
    ['is no hook at all', { params: 7 }],
  ])('that %s lets nothing of the payload or of the error’s words out', (_, redact) => {
    const line = lineOf(redact);
    expect(line).not.toContain(secret);
    const read = JSON.parse(line);
    expect(read).toMatchObject({ work_key: 'parcels/1', task_name: 'load', error_type: 'RangeError', error_text: '' });
    expect(Object.keys(read.params)).toEqual(['$redaction_failed']);
    for (const name of ['geom_wkt', 'source_uris']) expect(read).not.toHaveProperty(name);
  });

  test('that fails lets nothing out for any payload: a key or a class of a wrong kind neither', () => {
    const holding = fc.dictionary(
      fc.constantFrom('work_key', 'task_name', 'queue', 'failure_class', 'srid', 'nodata', 'layer', 'geometry'),
      fc.constantFrom<unknown>({ secret }, [secret], secret.repeat(300), () => secret, Buffer.from(secret)),
    );
    const fails = () => {
      throw new Error(secret);
    };
    fc.assert(
      fc.property(holding, (given) => {
        expect(lineOf(fails, given)).not.toContain(secret);
      }),
    );
    for (const given of [{ params: secret }, { work_key: { secret } }]) {
      const keys = [1, 2].map(() => JSON.parse(lineOf(fails, given)).work_key);
      expect(keys[0], 'no hash, from which it could be guessed').not.toBe(keys[1]);
    }
  });

  test('is asked also where the payload cannot be made, whose reason stays inside', () => {
    const fails = () => {
      throw new Error(secret);
    };
    const line = lineOf({ error_text: () => '', traceback: () => '' }, fails);
    expect(line).not.toContain(secret);
    expect(JSON.parse(line).params).toEqual({ $unfit: { payload_error: 'the payload function threw' } });
  });
});

test('a payload function that throws what it holds lets none of it out of a capture that redacts', async () => {
  const lines: string[] = [];
  for (const reason of [new Error(secret), secret, Object.assign(Object.create(null), { secret })]) {
    const payload = () => {
      throw reason;
    };
    const strip = () => undefined;
    await capture(new RangeError('x'), payload, {
      url: 'http://127.0.0.1:1',
      code_version: '1',
      timeout_ms: 50,
      spool: false,
      redact: { params: strip },
      on_capture_error: (line) => lines.push(line),
    });
  }
  expect(lines.map((line) => JSON.parse(line).params)).toEqual(
    Array(3).fill({ $unfit: { payload_error: 'the payload function threw' } }),
  );
  expect(lines.join()).not.toContain(secret);
});
