import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { redriveAnswerSchema } from '@/lib/contract/task';
import { readAnswer, readFailure } from '@/lib/redrive/read-answer';

const failed = (code: string, message = code) => Object.assign(new Error(message), { code });
const fetchFailed = (cause: unknown) => new TypeError('fetch failed', { cause });

describe('a target’s answer', () => {
  test.each([
    [200, '{"outcome":"succeeded"}', 'succeeded'],
    [201, '{"outcome":"failed","message":"no"}', 'failed'],
    [200, '{"outcome":"accepted"}', 'accepted'],
    [200, '{"outcome":"rejected"}', 'rejected'],
    [200, '<html>OK</html>', 'accepted'],
    [204, '', 'accepted'],
    [202, '{"outcome":"failed"}', 'accepted'],
    [302, '', 'rejected'],
    [400, 'bad', 'rejected'],
    [429, 'slow down', 'rejected'],
    [500, '{"outcome":"succeeded"}', 'unknown'],
    [503, '', 'unknown'],
    [504, '', 'unknown'],
  ])('%i with %s means %s', (status, body, outcome) => {
    expect(readAnswer(status, body)).toMatchObject({ outcome, busy: status === 429 });
  });

  test('of any kind is read without throwing, and a success is never made up', () => {
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 999 }), fc.oneof(fc.string(), fc.json()), (status, body) => {
        const { outcome, answer } = readAnswer(status, body);
        const says = (() => {
          try {
            return redriveAnswerSchema.safeParse(JSON.parse(body)).data?.outcome;
          } catch {
            return undefined;
          }
        })();
        if (outcome === 'succeeded' || outcome === 'failed') expect(says).toBe(outcome);
        expect(answer ?? '').not.toContain('\0');
        expect((answer ?? '').length).toBeLessThanOrEqual(10_000);
      }),
    );
  });
});

describe('a send that failed', () => {
  test('was not sent only where no connection was made, at every address that was tried', () => {
    expect(readFailure(fetchFailed(failed('ECONNREFUSED')))).toMatchObject({ outcome: 'never_sent', busy: true });
    expect(readFailure(fetchFailed(failed('ENOTFOUND'))).outcome).toBe('never_sent');
    const both = new AggregateError([
      failed('ECONNREFUSED', '::1 refused'),
      failed('ECONNREFUSED', '127.0.0.1 refused'),
    ]);
    expect(readFailure(fetchFailed(both))).toMatchObject({
      outcome: 'never_sent',
      answer: '::1 refused; 127.0.0.1 refused',
    });
    expect(readFailure(fetchFailed(new AggregateError([failed('ECONNREFUSED'), failed('ETIMEDOUT')]))).outcome).toBe(
      'unknown',
    );
  });

  test('is in doubt in every other case', () => {
    for (const code of [
      'ECONNRESET',
      'EPIPE',
      'ETIMEDOUT',
      'UND_ERR_SOCKET',
      'UND_ERR_HEADERS_TIMEOUT',
      'EHOSTUNREACH',
    ])
      expect(readFailure(fetchFailed(failed(code)))).toMatchObject({ outcome: 'unknown', busy: false });
    for (const error of [new DOMException('timed out', 'TimeoutError'), new Error('?'), 'a string', undefined])
      expect(readFailure(error).outcome).toBe('unknown');
  });
});
