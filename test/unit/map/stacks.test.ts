import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ScreenMark, STACK_PX, stackFeatures, stacksOf } from '@/components/map/stacks';

const mark = (id: string, x: number, y: number, failure_class = 'oom', reopened = false): ScreenMark => ({
  id,
  x,
  y,
  position: [x / 100, y / 100],
  failure_class,
  reopened,
});

describe('stacks', () => {
  it('hold marks that hide one another and leave the others alone', () => {
    const stacks = stacksOf([
      mark('1', 100, 100, 'crs_mismatch'),
      mark('2', 104, 103, 'crs_mismatch', true),
      mark('3', 100, 100 + STACK_PX + 1, 'oom'),
      mark('4', 99, 99, 'a word of theirs'),
    ]);
    expect(stacks).toEqual([
      {
        position: [1, 1],
        ids: ['1', '2', '4'],
        counts: { crs_mismatch: 2, other: 1 },
        reopened: 1,
        failure_class: 'crs_mismatch',
      },
    ]);
    expect(stackFeatures(stacks).features[0]?.properties).toEqual({
      index: 0,
      count: 3,
      failure_class: 'crs_mismatch',
      reopened: 1,
    });
  });

  it('count every mark at most once, and only near their first', () => {
    const place = fc.tuple(fc.integer({ min: -40, max: 40 }), fc.integer({ min: -40, max: 40 }));
    fc.assert(
      fc.property(fc.array(place, { maxLength: 120 }), (places) => {
        const marks = places.map(([x, y], i) => mark(String(i), x, y));
        const ids = stacksOf(marks).flatMap((stack) => stack.ids);
        expect(new Set(ids).size).toBe(ids.length);
        for (const stack of stacksOf(marks)) {
          expect(stack.ids.length).toBeGreaterThan(1);
          const [first, ...rest] = stack.ids.map((id) => marks[Number(id)]!);
          for (const each of rest) expect(Math.hypot(each.x - first!.x, each.y - first!.y)).toBeLessThan(STACK_PX);
        }
      }),
    );
  });
});
