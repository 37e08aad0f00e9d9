import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { errorEvidence } from '@/lib/capture/error-evidence';

describe('what is kept of an error', () => {
  test('of anything that can be thrown: three texts, bounded, that every text column takes', () => {
    fc.assert(
      fc.property(fc.anything({ withBigInt: true, withNullPrototype: true, withTypedArray: true }), (thrown) => {
        const { error_type, error_text, traceback } = errorEvidence(thrown);
        expect(error_type).not.toBe('');
        expect(error_text.length).toBeLessThan(13_000);
        const all = `${error_type}${error_text}${traceback}`;
        expect(Buffer.from(all).toString()).toBe(all);
        expect(all).not.toContain('\0');
      }),
      { numRuns: 500 },
    );
  });

  test('the causes, however nested, with their codes, and the members of an AggregateError', () => {
    const socket = Object.assign(new Error('connect refused'), { code: 'ECONNREFUSED' });
    const error = new TypeError('task failed', {
      cause: new AggregateError([new Error('fetch failed', { cause: socket }), new RangeError('window')], 'two tries'),
    });
    const { traceback } = errorEvidence(error);
    for (const words of ['TypeError: task failed', 'two tries', 'fetch failed', 'RangeError: window', 'ECONNREFUSED']) {
      expect(traceback).toContain(words);
    }
    expect(traceback.indexOf('task failed')).toBeLessThan(traceback.indexOf('caused by: '));
  });

  test('of an object thrown in the place of an error, its members', () => {
    expect(errorEvidence({ code: 'E7', band: 3 })).toMatchObject({
      error_type: 'Object',
      error_text: '{"code":"E7","band":3}',
    });
    expect(errorEvidence({ message: 'words' }).error_text).toBe('words');
    expect(errorEvidence(new Error('')).error_text).toBe('');
    expect(errorEvidence(Array.from({ length: 100_000 }, (_, i) => i)).error_text.length).toBeLessThan(3_100);
  });

  test('the name where one class of the AWS SDK stands for many errors', () => {
    class S3ServiceException extends Error {}
    const error = Object.assign(new S3ServiceException('slower'), { name: 'SlowDown' });
    expect(errorEvidence(error).error_type).toBe('SlowDown');
  });

  test('of an error whose every member throws, at least its type', () => {
    const hostile = new Proxy(new RangeError('x'), {
      get() {
        throw new Error('no');
      },
    });
    expect(errorEvidence(hostile)).toMatchObject({ error_type: 'object', error_text: '' });
  });
});
