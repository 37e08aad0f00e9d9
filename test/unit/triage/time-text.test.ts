import { describe, expect, it } from 'vitest';
import { ageText, exactText, momentText, parseMoment, periodText, rowTimeText } from '@/components/ui/time-text';

const NOW = '2026-11-30T14:32:07.000Z';

describe('times', () => {
  it('are a clock time today, a day before that, and have a year in another year and on days to come', () => {
    expect(rowTimeText('2026-11-30T02:14:59.000Z', NOW)).toBe('02:14');
    expect(rowTimeText('2026-11-29T23:59:59.000Z', NOW)).toBe('29 Nov');
    expect(rowTimeText('2025-11-29T23:59:59.000Z', NOW)).toBe('29 Nov 2025');
    expect(rowTimeText('2026-12-24T00:00:00.000Z', NOW)).toBe('24 Dec 2026');
    expect(rowTimeText('2099-01-01T00:00:00.000Z', NOW, { clock: true })).toBe('1 Jan 2099 00:00');
  });

  it('are shown as they came where no calendar has them: a broken clock must not break the list', () => {
    for (const at of ['10000-01-01T14:00:00.000000Z', 'infinity', '-infinity']) {
      const given = at.split('T')[0];
      expect(rowTimeText(at, NOW)).toBe(given);
      expect(rowTimeText(at, NOW, { clock: true })).toBe(given);
      expect(momentText(at, NOW)).toContain(given);
      expect(exactText(at)).toBe(at);
    }
    expect(ageText(Number.NaN)).toBe('∞');
  });

  it('have an age in the largest unit that fits', () => {
    expect([0, 59_000, 180_000, 5 * 3_600_000, 47 * 3_600_000, 3 * 86_400_000, 41 * 86_400_000].map(ageText)).toEqual([
      '0 s',
      '59 s',
      '3 min',
      '5 h',
      '47 h',
      '3 d',
      '41 d',
    ]);
  });

  it('make a period of whole days, of hours, and of an open end', () => {
    expect(periodText('2026-11-24T00:00:00.000Z', '2026-12-01T00:00:00.000Z', NOW)).toBe('24 – 30 Nov');
    expect(periodText('2026-10-24T00:00:00.000Z', '2026-11-03T00:00:00.000Z', NOW)).toBe('24 Oct – 2 Nov');
    expect(periodText('2026-11-24T00:00:00.000Z', '2026-11-25T00:00:00.000Z', NOW)).toBe('24 Nov');
    expect(periodText('2026-11-24T10:00:00.000Z', '2026-11-24T11:30:00.000Z', NOW)).toBe('24 Nov 10:00 – 11:30');
    expect(periodText('2026-11-23T14:32:00.000Z', undefined, NOW)).toBe('since 23 Nov 14:32');
    expect(periodText(undefined, undefined, NOW)).toBe('');
  });

  it('are read from an age, a day or a moment, and from nothing else', () => {
    expect(parseMoment('12h', NOW)).toBe('2026-11-30T02:32:00.000Z');
    expect(parseMoment('2026-11-24', NOW)).toBe('2026-11-24T00:00:00.000Z');
    expect(parseMoment('2026-11-24T10:00', NOW)).toBe('2026-11-24T10:00:00.000Z');
    expect(parseMoment('2026-11-24T10:00+02:00', NOW)).toBe('2026-11-24T08:00:00.000Z');
    expect(['soon', '7', '2026-13-45', ''].map((text) => parseMoment(text, NOW))).toEqual([null, null, null, null]);
  });
});
