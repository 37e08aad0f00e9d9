import { describe, expect, test } from 'vitest';
import { CLASSIFY_RULES, classify } from '@/lib/capture';
import { classified } from '@/lib/capture/classify';
import { FAILURE_CLASSES } from '@/lib/dead-letter/vocabulary';
import { CLASSIFY_SAMPLES, errorOf, UNKNOWN_SAMPLES } from '@/test/fixtures/classify-samples';

describe('the table of what is recognised', () => {
  test('gives the samples of the libraries their class', () => {
    const wrong = [...CLASSIFY_SAMPLES, ...UNKNOWN_SAMPLES]
      .map((sample) => ({ ...sample, found: classify(errorOf(sample)) }))
      .filter((one) => one.found !== one.failure_class);
    expect(wrong).toEqual([]);
  });

  test('holds no rule that decides nothing: each is the first that holds for a sample', () => {
    const idle = CLASSIFY_RULES.filter((rule, i) => {
      const before = CLASSIFY_RULES.slice(0, i);
      return !CLASSIFY_SAMPLES.map(errorOf).some(
        (error) => classify(error, [rule]) !== 'unknown' && classify(error, before) === 'unknown',
      );
    });
    expect(idle.map((rule) => `${rule.from}: ${rule.says}`)).toEqual([]);
  });

  test('says of each rule whose error it is and what is recognised, and gives a word of the vocabulary', () => {
    for (const rule of CLASSIFY_RULES) {
      expect(rule.from && rule.says).not.toBe('');
      expect(FAILURE_CLASSES).toContain(rule.failure_class);
    }
  });
});

describe('causes', () => {
  test('are looked at where the error itself says nothing, through any nesting and through an AggregateError', () => {
    const root = Object.assign(new Error('lost'), { code: 'ECONNRESET' });
    const nested = new Error('task failed', { cause: new Error('fetch failed', { cause: root }) });
    expect(classify(nested)).toBe('upstream_timeout');
    expect(classify(new AggregateError([new Error('first'), nested], 'all failed'))).toBe('upstream_timeout');
    expect(classify(new Error('outer', { cause: new AggregateError([root]) }))).toBe('upstream_timeout');
  });

  test('give way to what the error itself says', () => {
    const cause = Object.assign(new Error('lost'), { code: 'ECONNRESET' });
    expect(classify(new Error('Self-intersection at 1 2', { cause }))).toBe('invalid_geometry');
  });

  test('that cannot be read, or whose text is enormous, end without a throw', () => {
    const hostile = new Proxy(new Error('x'), {
      get() {
        throw new Error('no');
      },
    });
    expect(classify(hostile)).toBe('unknown');
    expect(classify(new Error(`${'x'.repeat(5_000_000)} JavaScript heap out of memory`))).toBe('oom');
  });
});

describe('a classifier of the caller', () => {
  test('may be rules, which are asked before the built-in ones', () => {
    const rules = [{ failure_class: 'licence_expired', message: /licence/, from: 'ours', says: 'the licence' }];
    expect(classified(new Error('licence timed out'), rules)).toEqual({
      failure_class: 'licence_expired',
      error_class: 'fatal',
    });
    expect(classified(new Error('timed out'), rules).failure_class).toBe('upstream_timeout');
    expect(classified(new Error('x'), [{ failure_class: 'all', from: 'ours', says: 'nothing' }]).failure_class).toBe(
      'unknown',
    );
  });

  test('that throws, or answers with nothing, leaves the decision to the built-in rules', () => {
    const broken = () => {
      throw new Error('no');
    };
    for (const own of [broken, () => undefined, () => '', () => 7 as unknown as string]) {
      expect(classified(new Error('timed out'), own).failure_class).toBe('upstream_timeout');
    }
  });
});
