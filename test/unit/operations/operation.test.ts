import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  operationNumber,
  operationTitle,
  pausedText,
  resultText,
  stagesOf,
  stateLook,
  waitsForCanary,
} from '@/components/operations/operation.model';
import {
  doneCount,
  leftOutSince,
  matchedCount,
  progressOf,
  progressText,
  tabsOf,
  takenCount,
} from '@/components/operations/outcomes.model';
import { paceOf, type Sample, secondsOf, withSample } from '@/components/operations/pace.model';
import { ITEM_OUTCOMES, type Operation } from '@/lib/contract/operation';

type Outcomes = Operation['outcomes'];
const none = Object.fromEntries(ITEM_OUTCOMES.map((outcome) => [outcome, 0])) as Outcomes;

function operation({ outcomes, ...change }: Partial<Omit<Operation, 'outcomes'>> & { outcomes?: Partial<Outcomes> }) {
  const all = { ...none, ...outcomes };
  return {
    id: '417',
    action: 'redrive',
    state: 'running',
    actor: 'operator 1',
    reason: 'fixed',
    filter: {},
    rate_per_s: 20,
    canary: null,
    eligible: 0,
    skipped: [],
    frozen_at: '2026-11-30T14:33:02Z',
    started_at: '2026-11-30T14:36:35Z',
    finished_at: null,
    paused_because: null,
    as_of: '2026-11-30T14:41:58Z',
    ...change,
    outcomes: all,
  } satisfies Operation;
}

describe('what became of the set', () => {
  test('the counts of the bar add up to the eligible, whatever became of them', () => {
    fc.assert(
      fc.property(
        fc.record(Object.fromEntries(ITEM_OUTCOMES.map((outcome) => [outcome, fc.nat(5000)]))),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.constantFrom('redrive' as const, 'abandon' as const),
        (counts, share, action) => {
          const outcomes = { ...none, ...counts } as Outcomes;
          if (action === 'redrive') outcomes.applied = 0;
          else
            for (const key of ['fixed', 'failed_again', 'rejected', 'in_doubt', 'in_flight', 'accepted'] as const)
              outcomes[key] = 0;
          const since = Math.floor(outcomes.skipped * share);
          const eligible = matchedCount({ outcomes }) - outcomes.skipped + since;
          const it = operation({ action, eligible, outcomes });
          expect(leftOutSince(it)).toBe(since);
          expect(progressOf(it).reduce((sum, { count }) => sum + count, 0)).toBe(eligible);
        },
      ),
    );
  });

  test('the usual outcomes have their place also while there is none of them', () => {
    expect(progressOf(operation({ eligible: 5, outcomes: { waiting: 5 } })).map(({ label }) => label)).toEqual([
      'Fixed',
      'Failed again',
      'In doubt',
      'In flight',
      'Waiting',
    ]);
    expect(
      progressOf(operation({ action: 'abandon', eligible: 2, outcomes: { applied: 2 } })).map(({ key }) => key),
    ).toEqual(['applied', 'waiting']);
  });

  test('what the preview left out is a tab, but no progress', () => {
    const it = operation({ eligible: 2, outcomes: { fixed: 1, waiting: 1, skipped: 7 } });
    expect(tabsOf(it).map(({ label }) => label)).toEqual(['All 9', 'Fixed 1', 'Waiting 1', 'Left out 7']);
    expect(progressText(it)).toBe('1 fixed, 1 waiting, of 2');
    expect(takenCount(it)).toBe(1);
  });

  test('done is what was answered or applied, not what was left as it was', () => {
    const outcomes = { fixed: 3, in_doubt: 1, accepted: 1, in_flight: 4, cancelled: 90, skipped: 2 };
    expect(doneCount(operation({ eligible: 99, outcomes }))).toBe(5);
    expect(doneCount(operation({ action: 'abandon', eligible: 9, outcomes: { applied: 7, skipped: 2 } }))).toBe(7);
  });
});

describe('canary and rest', () => {
  const stages = (change: Parameters<typeof operation>[0]) =>
    stagesOf(operation({ canary: 50, eligible: 2968, ...change }), 0.8).map(({ phase, text }) => `${phase}: ${text}`);

  test('without a canary there are no stages', () => expect(stagesOf(operation({ eligible: 9 }), 0.8)).toEqual([]));
  test('the canary is being sent', () =>
    expect(stages({ outcomes: { fixed: 20, in_flight: 11, waiting: 2937 } })).toEqual([
      'now: 31 of 50 sent',
      'next: 2,918, if the canary fixes 80 %',
    ]));
  test('the canary is sent and one answer is out', () => {
    const outcomes = { fixed: 49, accepted: 1, waiting: 2918 };
    expect(stages({ outcomes })[0]).toBe('now: 50 sent, 1 answer to come');
    expect(waitsForCanary(operation({ canary: 50, eligible: 2968, outcomes }))).toBe(true);
  });
  test('the canary did not hold', () =>
    expect(
      stages({
        state: 'paused',
        paused_because: 'canary: fixed 4 of 50, under 80 %',
        outcomes: { fixed: 4, failed_again: 46, waiting: 2918 },
      }),
    ).toEqual(['held: 4 of 50 fixed', 'next: 2,918, if the canary fixes 80 %']));
  test('the rest is being sent', () =>
    expect(stages({ outcomes: { fixed: 402, in_flight: 18, waiting: 2548 } })).toEqual([
      'done: 50 sent',
      'now: 370 of 2,918 sent',
    ]));
  test('all of it was sent', () =>
    expect(stages({ state: 'finished', outcomes: { fixed: 2000, failed_again: 968 } })).toEqual([
      'done: 50 sent',
      'done: 2,918 of 2,918 sent',
    ]));
  test('over with nothing left to send after the canary', () =>
    expect(stages({ state: 'finished', outcomes: { fixed: 50, skipped: 2918 } })).toEqual([
      'done: 50 sent',
      'done: 0 of 2,918 sent',
    ]));
  test('cancelled during the canary, nothing of the rest was sent', () =>
    expect(stages({ state: 'cancelled', outcomes: { fixed: 9, cancelled: 2959 } })).toEqual([
      'stopped: 9 of 50 sent',
      'stopped: 0 of 2,918 sent',
    ]));
  test('cancelled because the canary did not hold, it still says so', () =>
    expect(stages({ state: 'cancelled', outcomes: { fixed: 4, failed_again: 46, cancelled: 2918 } })).toEqual([
      'held: 4 of 50 fixed',
      'stopped: 0 of 2,918 sent',
    ]));
});

describe('its words', () => {
  test('number and title', () => {
    expect(operationNumber('417')).toBe('0417');
    expect(operationNumber('123456')).toBe('123456');
    expect(operationTitle({ action: 'redrive', eligible: 2968 })).toBe('Redrive of 2,968 entries');
    expect(operationTitle({ action: 'abandon', eligible: 1 })).toBe('Abandonment of 1 entry');
  });
  test.each([
    ['paused by operator 2', 'Paused by operator 2.'],
    ['canary: fixed 4 of 50, under 80 %', 'Paused by itself: the canary fixed 4 of 50, under 80 %.'],
    ['nothing could be sent: ECONNREFUSED', 'Paused by itself: nothing could be sent: ECONNREFUSED.'],
    [null, 'Paused.'],
  ])('%j reads “%s”', (because, text) => expect(pausedText(because)).toBe(text));
  test('paused by itself is another word than paused by a person', () => {
    expect(stateLook(operation({ state: 'paused', paused_because: 'paused by operator 2' })).word).toBe('paused');
    expect(stateLook(operation({ state: 'paused', paused_because: 'canary: …' })).word).toBe('paused by itself');
  });
  test('a few abandoned, one left out', () =>
    expect(
      resultText(
        operation({
          action: 'abandon',
          state: 'finished',
          eligible: 3,
          outcomes: { applied: 3, skipped: 1 },
          skipped: [{ reason: 'in_flight', detail: null, count: 1 }],
        }),
      ),
    ).toEqual({ text: '3 abandoned, 1 left out: in flight, its answer is still to come.', tone: 'ok' }));
  test('somebody was faster: nothing was applied, and it says so', () =>
    expect(
      resultText(
        operation({
          action: 'abandon',
          state: 'finished',
          eligible: 1,
          outcomes: { skipped: 1 },
          skipped: [{ reason: 'changed_since', detail: null, count: 1 }],
        }),
      ),
    ).toEqual({ text: 'Changed since the preview. Your abandon was not applied.', tone: 'warn' }));
});

describe('the pace', () => {
  const at = (second: number, taken: number): Sample => ({ at: second * 1000, taken });

  test('nothing is said of one answer', () => expect(paceOf([at(0, 5)])).toBeNull());
  test('it is that of the last ten seconds', () =>
    expect(paceOf([at(0, 0), at(20, 1000), at(25, 1100), at(30, 1200)])).toBe(20));
  test('an answer told twice counts once, a minute is kept', () => {
    const kept = [at(0, 0), at(30, 1), at(61, 2), at(61, 2)].reduce(withSample, [] as readonly Sample[]);
    expect(kept).toEqual([at(30, 1), at(61, 2)]);
  });
  test('each second shows its part, unseen ones nothing', () =>
    expect(secondsOf([at(0, 0), at(2, 40), at(3, 41)], 5)).toEqual([null, null, 20, 20, 1]));
});
