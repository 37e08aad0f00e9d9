import { describe, expect, it } from 'vitest';
import { numberedMarks } from '@/components/evidence/draw-marks';
import type { FaultPlace } from '@/components/evidence/fault-place.model';

const size = { width: 240, height: 184 };
const view = { cx: 0, cy: 0, k: 1 };
const numbers = (at: ([number, number] | null)[], current_fault: number | null) =>
  [
    ...numberedMarks({
      view,
      size,
      places: at.map((place) => ({ at: place }) as unknown as FaultPlace),
      current_fault,
      current_edges: [],
    }),
  ].sort((a, b) => a - b);

describe('the marks of faults', () => {
  it('are numbered where numbers do not cover one another, the first of each crowd and the current one', () => {
    const crowd: [number, number][] = [
      [0, 0],
      [4, 0],
      [8, 0],
      [40, 0],
    ];
    expect(numbers(crowd, null)).toEqual([0, 3]);
    expect(numbers(crowd, 2)).toEqual([2, 3]);
  });

  it('have none where a fault has no place', () => {
    expect(numbers([null, [0, 0]], 0)).toEqual([1]);
  });
});
