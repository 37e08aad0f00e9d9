import { describe, expect, it } from 'vitest';
import type { FoundFault } from '@/lib/faults/fault-report';
import { putFirst } from '@/lib/faults/first-fault';

const fault = (code: FoundFault['code'], at: [number, number] | null, more: Partial<FoundFault> = {}): FoundFault => ({
  code,
  path: [0, 1],
  at,
  message: code,
  severity: 'fails',
  ...more,
});

describe('the fault that PostGIS names', () => {
  const one = fault('self_intersection', [1, 1]);
  const two = fault('self_intersection', [2, 2]);
  const note = fault('repeated_point', [2, 2], { severity: 'note' });

  it('comes first where it is one of ours, and the order of the others stays', () => {
    expect(putFirst([one, two, note], { reason: 'Self-intersection', at: [2, 2 + 1e-12] })).toEqual([two, one, note]);
  });

  it('is told in PostGIS’s words where it is none of ours', () => {
    expect(putFirst([one, note], { reason: 'Nested shells', at: [2, 2] })).toEqual([
      { code: 'nested_shells', path: null, at: [2, 2], message: 'Nested shells', severity: 'fails' },
      one,
      note,
    ]);
    expect(putFirst([], { reason: 'Self-intersection', at: [5, 5] })[0]).toMatchObject({ at: [5, 5], path: null });
  });

  it('is the first of its kind where PostGIS names no place', () => {
    const open = fault('unclosed_ring', [4, 4]);
    const reason = 'IllegalArgumentException: Points of LinearRing do not form a closed linestring';
    expect(putFirst([one, open], { reason, at: null })).toEqual([open, one]);
    expect(
      putFirst([one, fault('non_finite_vertex', null)], { reason: 'Invalid Coordinate', at: [Number.NaN, 2] })[0]?.code,
    ).toBe('non_finite_vertex');
  });

  it('may be the finer word for what GEOS calls a self-intersection, but not a note', () => {
    const parts = fault('overlapping_parts', [2, 2]);
    expect(putFirst([one, parts], { reason: 'Self-intersection', at: [2, 2] })).toEqual([parts, one]);
    expect(putFirst([note], { reason: 'Self-intersection', at: [2, 2] })).toHaveLength(2);
    const length = fault('zero_length', [2, 2]);
    expect(putFirst([length], { reason: 'Too few points in geometry component', at: [2, 2] })).toEqual([length]);
  });

  it('begins at the end of the stretch that PostGIS names', () => {
    const stretch = fault('self_intersection', [0, 0], { to: [4, 0] });
    expect(putFirst([stretch], { reason: 'Self-intersection', at: [0, 0] })).toEqual([stretch]);
    expect(putFirst([stretch], { reason: 'Self-intersection', at: [4, 0] })).toEqual([
      { ...stretch, at: [4, 0], to: [0, 0] },
    ]);
    const flat = fault('zero_area', [0, 0], { to: [4, 0] });
    expect(putFirst([flat], { reason: 'Self-intersection', at: [1, 0] })).toEqual([{ ...flat, at: [1, 0] }]);
    expect(putFirst([flat], { reason: 'Self-intersection', at: [1, 1] })).toHaveLength(2);
  });

  it('is a ring that is there twice where nothing else lies there, unless that is uncertain', () => {
    const doubled = fault('duplicate_rings', [0, 0]);
    const reason = { reason: 'Self-intersection', at: [7, 7] } as const;
    expect(putFirst([one, doubled], reason)).toEqual([{ ...doubled, at: [7, 7] }, one]);
    expect(putFirst([doubled, fault('duplicate_rings', [9, 9])], reason)[0]?.path).toBeNull();
    expect(putFirst([doubled, fault('capped', null, { severity: 'note' })], reason)[0]?.path).toBeNull();
  });
});
