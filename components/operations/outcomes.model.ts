import { countText } from '@/components/ui/number-text';
import type { ITEM_OUTCOMES, Operation } from '@/lib/contract/operation';

type ItemOutcome = (typeof ITEM_OUTCOMES)[number];
export type Outcome = { key: ItemOutcome; label: string; count: number };

export const OUTCOME_LABELS: Record<ItemOutcome, string> = {
  fixed: 'Fixed',
  failed_again: 'Failed again',
  rejected: 'Rejected',
  in_doubt: 'In doubt',
  in_flight: 'In flight',
  accepted: 'Accepted',
  applied: 'Applied',
  waiting: 'Waiting',
  cancelled: 'Cancelled',
  skipped: 'Left out',
};

const OF_REDRIVES: readonly ItemOutcome[] = [
  'fixed',
  'failed_again',
  'rejected',
  'in_doubt',
  'in_flight',
  'accepted',
  'waiting',
  'cancelled',
  'skipped',
];
const OF_STATE_CHANGES: readonly ItemOutcome[] = ['applied', 'waiting', 'cancelled', 'skipped'];
/** Shown when there is none of it too, so that the eye finds each in its place. */
const ALWAYS: readonly ItemOutcome[] = ['fixed', 'failed_again', 'in_doubt', 'in_flight', 'applied', 'waiting'];

type Counted = Pick<Operation, 'action' | 'eligible' | 'outcomes'>;

/** The whole frozen set, what the preview left out included. */
export function matchedCount({ outcomes }: Pick<Operation, 'outcomes'>): number {
  return Object.values(outcomes).reduce((sum, count) => sum + count, 0);
}

/** Eligible at the preview and left out since, because they had changed by then. */
export function leftOutSince({ eligible, outcomes }: Pick<Operation, 'eligible' | 'outcomes'>): number {
  return Math.max(0, eligible - (matchedCount({ outcomes }) - outcomes.skipped));
}

/** What became of the eligible ones, in the order of the bar; the counts add up to `eligible`. */
export function progressOf(operation: Counted): Outcome[] {
  const keys = operation.action === 'redrive' ? OF_REDRIVES : OF_STATE_CHANGES;
  return keys
    .map((key) => ({
      key,
      label: OUTCOME_LABELS[key],
      count: key === 'skipped' ? leftOutSince(operation) : operation.outcomes[key],
    }))
    .filter(({ key, count }) => count > 0 || ALWAYS.includes(key));
}

/** The tabs over the items: everything, then what there is of each, the skipped of the preview included. */
export function tabsOf(operation: Counted): { outcome: ItemOutcome | null; label: string }[] {
  const keys = operation.action === 'redrive' ? OF_REDRIVES : OF_STATE_CHANGES;
  return [
    { outcome: null, label: `All ${countText(matchedCount(operation))}` },
    ...keys
      .filter((key) => operation.outcomes[key] > 0)
      .map((key) => ({ outcome: key, label: `${OUTCOME_LABELS[key]} ${countText(operation.outcomes[key])}` })),
  ];
}

/** The bar in words: `402 fixed, 8 failed again, of 2,968`. */
export function progressText(operation: Counted): string {
  const parts = progressOf(operation)
    .filter(({ count }) => count > 0)
    .map(({ count, label }) => `${countText(count)} ${label.toLowerCase()}`);
  return `${parts.join(', ') || 'none'}, of ${countText(operation.eligible)}`;
}

/** Sent and answered or not, applied, left out: everything that no longer waits. */
export function takenCount({ eligible, outcomes }: Pick<Operation, 'eligible' | 'outcomes'>): number {
  return eligible - outcomes.waiting;
}

/** What the action was done to: neither waiting, nor on its way, nor left as it was. */
export function doneCount({ action, outcomes }: Pick<Operation, 'action' | 'outcomes'>): number {
  return action === 'redrive' ? answeredCount({ outcomes }) + outcomes.accepted : outcomes.applied;
}

/** Sends, whatever came of them. */
export function sentCount({ outcomes }: Pick<Operation, 'outcomes'>): number {
  return answeredCount({ outcomes }) + outcomes.in_flight + outcomes.accepted;
}

/** Sends of which something is known, be it only that nobody knows what ran. */
export function answeredCount({ outcomes }: Pick<Operation, 'outcomes'>): number {
  return outcomes.fixed + outcomes.failed_again + outcomes.rejected + outcomes.in_doubt;
}
