import { CANARY_HOLDS, type Operation } from '@/lib/contract/operation';

export type NextBatch =
  | { do: 'send'; count: number }
  /** For answers that are on their way. */
  | { do: 'wait' }
  | { do: 'pause'; because: string }
  | { do: 'finish' };

/**
 * What a running redrive does next: at most one second of its rate at a time, so that a crash puts few in doubt and a
 * cancel takes effect at once. The canary is sent first, and the rest only when its answers hold.
 */
export function nextBatch(operation: {
  rate_per_s: number;
  canary: number | null;
  outcomes: Operation['outcomes'];
}): NextBatch {
  const { canary, outcomes } = operation;
  const answered = outcomes.fixed + outcomes.failed_again + outcomes.rejected + outcomes.in_doubt;
  const on_their_way = outcomes.in_flight + outcomes.accepted;
  if (outcomes.waiting === 0) return outcomes.in_flight > 0 ? { do: 'wait' } : { do: 'finish' };
  const a_second = Math.max(1, Math.floor(operation.rate_per_s));
  if (canary === null) return { do: 'send', count: Math.min(a_second, outcomes.waiting) };
  const sent = answered + on_their_way;
  if (sent < canary) return { do: 'send', count: Math.min(a_second, canary - sent, outcomes.waiting) };
  // more than the canary is sent only after it held
  if (sent === canary) {
    if (on_their_way > 0) return { do: 'wait' };
    if (outcomes.fixed / answered < CANARY_HOLDS)
      return { do: 'pause', because: `canary: fixed ${outcomes.fixed} of ${answered}, under ${CANARY_HOLDS * 100} %` };
  }
  return { do: 'send', count: Math.min(a_second, outcomes.waiting) };
}
