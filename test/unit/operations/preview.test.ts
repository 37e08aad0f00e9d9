import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { durationText, whenText } from '@/components/operations/duration-text';
import {
  countProblem,
  defaultCanary,
  hasNoCondition,
  previewTitle,
  problemsOf,
  readCanary,
  readCount,
  readRate,
  startForm,
  startLabel,
  startRequest,
  timeForAll,
} from '@/components/operations/preview.model';
import { startRequestSchema } from '@/lib/contract/operation';

const preview_id = '5f0c9f0e-6a58-4a2e-9d53-0d6b1a3c7e11';

describe('how long it takes', () => {
  test.each([
    [0, '0 s'],
    [0.2, '1 s'],
    [59, '59 s'],
    [60, '1 min'],
    [148.4, '2 min 29 s'],
    [3599.5, '1 h'],
    [4320, '1 h 12 min'],
    [172_800, '2 d'],
    [273_600, '3 d 4 h'],
  ])('%d seconds read %s', (seconds, text) => expect(durationText(seconds)).toBe(text));

  test('2,968 entries at 20 a second take 2 min 29 s', () => expect(timeForAll(2968, 20)).toBe('2 min 29 s'));

  test('today is told to the second, another day with its date', () => {
    expect(whenText('2026-11-30T14:36:35.1Z', '2026-11-30T20:00:00Z')).toBe('14:36:35');
    expect(whenText('2026-11-29T02:14:35Z', '2026-11-30T20:00:00Z')).toBe('29 Nov 02:14');
  });
});

describe('the count typed back', () => {
  test.each(['2968', ' 2968 ', '2,968', '2.968', '2 968', '2\u202f968', "2'968"])('%j is 2968', (text) =>
    expect(countProblem(text, 2968)).toBeNull(),
  );
  test.each(['29,68', '2968.0', '-2968', '2e3', 'all', '0x10', '2,96'])('%j is not a count of 2968', (text) =>
    expect(countProblem(text, 2968)).toBe(`${text} is not 2968`),
  );
  test('a wrong one is named beside the right one, without separators', () =>
    expect(countProblem('2986', 2968)).toBe('2986 is not 2968'));
  test('nothing typed asks for the count', () => expect(countProblem(' ', 2968)).toBe('type 2968'));
  test('every count matches itself, plain and grouped, and no other', () => {
    fc.assert(
      fc.property(fc.nat(999_999_999), fc.nat(999_999_999), (count, other) => {
        expect(readCount(String(count))).toBe(count);
        expect(readCount(count.toLocaleString('en-US'))).toBe(count);
        expect(countProblem(String(other), count) === null).toBe(other === count);
      }),
    );
  });
});

describe('rate and canary', () => {
  test.each([
    ['20', 20],
    ['0.5', 0.5],
    ['0,5', 0.5],
    ['1000', 1000],
  ])('%s entries a second are taken', (text, rate) => expect(readRate(text)).toBe(rate));
  test.each(['', '0', '-1', '1001', 'fast', '1e2', 'Infinity'])('%j is no rate', (text) =>
    expect(readRate(text)).toBeNull(),
  );
  test('small sets have no canary, others a tenth up to 50', () =>
    expect([1, 20, 21, 120, 5000].map(defaultCanary)).toEqual([0, 0, 5, 12, 50]));
  test('a canary leaves a rest', () => {
    const form = { ...startForm(60), with_canary: true };
    expect(readCanary({ ...form, canary: '59' }, 60)).toBe(59);
    expect(readCanary({ ...form, canary: '60' }, 60)).toBeNull();
    expect(readCanary({ ...form, canary: '0' }, 60)).toBeNull();
    expect(readCanary({ ...form, canary: 'x', with_canary: false }, 60)).toBe(0);
  });
});

describe('the form', () => {
  test('a redrive of many needs a reason and the count', () =>
    expect(problemsOf(startForm(2968), { action: 'redrive', eligible: 2968 })).toEqual({
      reason: 'say why; it stands in the history of each entry',
      confirm: 'type 2968',
    }));
  test('a hundred are not typed back, a hundred and one are', () => {
    const form = { ...startForm(100), reason: 'why' };
    expect(problemsOf(form, { action: 'abandon', eligible: 100 })).toEqual({});
    expect(problemsOf(form, { action: 'abandon', eligible: 101 })).toEqual({ confirm: 'type 101' });
  });
  test('an abandonment does not ask for rate or canary', () =>
    expect(
      problemsOf(
        { ...startForm(5), reason: 'why', rate: 'x', canary: 'x', with_canary: true },
        {
          action: 'abandon',
          eligible: 5,
        },
      ),
    ).toEqual({}));
  test('what it sends is what the contract takes', () => {
    const redrive = startRequest(
      { ...startForm(2968), reason: ' fixed in 2.14.1 ', confirm: '2,968' },
      { action: 'redrive', eligible: 2968, preview_id },
    );
    expect(startRequestSchema.parse(redrive)).toEqual(redrive);
    expect(redrive).toEqual({
      preview_id,
      reason: 'fixed in 2.14.1',
      rate_per_s: 20,
      canary: 50,
      confirm: 2968,
    });
    const abandon = startRequest({ ...startForm(3), reason: 'gone' }, { action: 'abandon', eligible: 3, preview_id });
    expect(startRequestSchema.parse(abandon)).toEqual({ preview_id, reason: 'gone' });
  });
});

describe('its words', () => {
  test('the title says how many', () => {
    expect(previewTitle('redrive', 3155, false)).toBe('Redrive 3,155 entries?');
    expect(previewTitle('abandon', 1, false)).toBe('Abandon 1 entry?');
    expect(previewTitle('quarantine', 1, true)).toBe('Quarantine this entry?');
  });
  test('the button names the first effect', () => {
    expect(startLabel('redrive', 2968, 50)).toBe('Start with 50');
    expect(startLabel('redrive', 12, 0)).toBe('Redrive 12');
    expect(startLabel('abandon', 1040, null)).toBe('Abandon 1,040');
    expect(startLabel('quarantine', 1, null)).toBe('Quarantine');
  });
  test('a filter that names nothing is not “all”', () => {
    expect(hasNoCondition({ filter: {} })).toBe(true);
    expect(hasNoCondition({ filter: { state: [] } })).toBe(true);
    expect(hasNoCondition({ filter: { state: ['any'] } })).toBe(false);
    expect(hasNoCondition({ filter: { mappable: false } })).toBe(false);
    expect(hasNoCondition({ ids: ['1'] })).toBe(false);
  });
});
