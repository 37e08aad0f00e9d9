import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ITEM_OUTCOMES, type Operation } from '@/lib/contract/operation';
import { nextBatch } from '@/lib/operations/next-batch';

type Outcomes = Operation['outcomes'];
const outcomes = (given: Partial<Outcomes>): Outcomes => ({
  ...(Object.fromEntries(ITEM_OUTCOMES.map((outcome) => [outcome, 0])) as Outcomes),
  ...given,
});

describe('what a running redrive does next', () => {
  test('sends a second of its rate, and no more than waits', () => {
    expect(nextBatch({ rate_per_s: 20, canary: null, outcomes: outcomes({ waiting: 100 }) })).toEqual({
      do: 'send',
      count: 20,
    });
    expect(nextBatch({ rate_per_s: 20, canary: null, outcomes: outcomes({ waiting: 7 }) })).toEqual({
      do: 'send',
      count: 7,
    });
  });

  test('a rate under one a second still sends one', () => {
    expect(nextBatch({ rate_per_s: 0.2, canary: null, outcomes: outcomes({ waiting: 7 }) })).toEqual({
      do: 'send',
      count: 1,
    });
  });

  test('the canary is sent first, then its answers are awaited', () => {
    expect(nextBatch({ rate_per_s: 20, canary: 30, outcomes: outcomes({ waiting: 80, fixed: 20 }) })).toEqual({
      do: 'send',
      count: 10,
    });
    expect(
      nextBatch({ rate_per_s: 20, canary: 30, outcomes: outcomes({ waiting: 70, fixed: 20, in_flight: 10 }) }),
    ).toEqual({ do: 'wait' });
    expect(
      nextBatch({ rate_per_s: 20, canary: 30, outcomes: outcomes({ waiting: 70, fixed: 20, accepted: 10 }) }),
    ).toEqual({ do: 'wait' });
  });

  test('a canary that holds lets the rest go, and is not judged again', () => {
    expect(
      nextBatch({ rate_per_s: 20, canary: 10, outcomes: outcomes({ waiting: 70, fixed: 8, failed_again: 2 }) }),
    ).toEqual({ do: 'send', count: 20 });
    expect(
      nextBatch({ rate_per_s: 20, canary: 10, outcomes: outcomes({ waiting: 50, fixed: 8, failed_again: 22 }) }),
    ).toEqual({ do: 'send', count: 20 });
  });

  test('a canary that does not hold pauses and says how many it fixed', () => {
    expect(
      nextBatch({ rate_per_s: 20, canary: 10, outcomes: outcomes({ waiting: 70, fixed: 7, in_doubt: 3 }) }),
    ).toEqual({
      do: 'pause',
      because: 'canary: fixed 7 of 10, under 80 %',
    });
  });

  test('is finished when nothing waits and nothing is in flight; an accepted one may be answered later', () => {
    expect(nextBatch({ rate_per_s: 20, canary: null, outcomes: outcomes({ fixed: 3, in_flight: 1 }) })).toEqual({
      do: 'wait',
    });
    expect(nextBatch({ rate_per_s: 20, canary: null, outcomes: outcomes({ fixed: 3, accepted: 1 }) })).toEqual({
      do: 'finish',
    });
  });

  test('whatever the answers, it never sends more than a second of its rate, nor more than waits', () => {
    const count = fc.nat(1000);
    const any = fc.record(
      Object.fromEntries(ITEM_OUTCOMES.map((outcome) => [outcome, count])),
    ) as fc.Arbitrary<Outcomes>;
    fc.assert(
      fc.property(
        any,
        fc.double({ min: 0.1, max: 1000, noNaN: true }),
        fc.option(fc.integer({ min: 1, max: 1000 })),
        (given, rate_per_s, canary) => {
          const next = nextBatch({ rate_per_s, canary, outcomes: given });
          if (next.do !== 'send') return true;
          return next.count >= 1 && next.count <= Math.max(1, rate_per_s) && next.count <= given.waiting;
        },
      ),
    );
  });
});
