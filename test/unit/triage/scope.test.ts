import { describe, expect, it } from 'vitest';
import {
  headTick,
  NO_TICKS,
  outsideText,
  scopeOf,
  scopeText,
  tickOne,
  tickRange,
} from '@/components/triage/scope.model';

const ORDER = ['1', '2', '3', '4'];
const ids = (...values: string[]) => ({ kind: 'ids' as const, ids: new Set(values) });

describe('what a bulk action is asked for', () => {
  it('is the filter while nothing is ticked, else the ticked rows alone', () => {
    expect(scopeText(scopeOf(NO_TICKS, { state: ['open'] }, 3_994))).toBe('3,994 matching');
    expect(scopeText(scopeOf(ids('1', '3'), {}, 3_994))).toBe('2 ticked');
    expect(scopeOf({ kind: 'all' }, {}, 3_994)).toEqual({ kind: 'filter', filter: {}, total: 3_994 });
  });
});

describe('ticks', () => {
  it('take a range in the order of the list, in both directions', () => {
    expect(tickRange(ids('4'), ORDER, '4', '2', true)).toEqual(ids('4', '2', '3'));
    expect(tickRange(ids('1', '2', '3'), ORDER, '1', '2', false)).toEqual(ids('3'));
  });

  it('take one row where the range has no beginning in this list', () => {
    expect(tickRange(NO_TICKS, ORDER, '99', '2', true)).toEqual(ids('2'));
  });

  it('leave “all matching” for the row that was touched', () => {
    expect(tickOne({ kind: 'all' }, '2', true)).toEqual(ids('2'));
  });

  it('show in the head whether all loaded rows have one', () => {
    expect([ids(), ids('1'), ids(...ORDER)].map((ticks) => headTick(ticks, ORDER))).toEqual(['none', 'some', 'all']);
  });

  it('are counted when the list does not show them', () => {
    expect(outsideText(ids('1', '8', '9'), ORDER, true)).toBe('2 are not in this filter');
    expect(outsideText(ids('1', '8'), ORDER, false)).toBe('1 not in the rows loaded');
    expect(outsideText(ids('1'), ORDER, true)).toBeNull();
  });
});
