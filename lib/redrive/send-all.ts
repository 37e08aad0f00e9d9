import type { SettleItem } from '@/db/queries/settle';
import type { RedriveHttpRequest } from './build-request';
import type { SendResult } from './read-answer';
import { sendWebhook } from './send-webhook';
import { type Target, targetOf } from './targets';

export interface Sendable {
  entry_id: string;
  attempt_id: string;
  target: string;
  /** Built when its turn comes, so that few large payloads are in memory at once; null where its payload has gone meanwhile. */
  request: () => Promise<RedriveHttpRequest | null>;
}

const notSent = (answer: string): SendResult => ({ outcome: 'never_sent', answer, busy: false });

/**
 * Sends what was intended, `concurrency` at a time, each at most once, and hands every result to `settle` while the others
 * go on. Not sent, with the reason: after `signal` or `until` (milliseconds of performance.now(); the lease would not last),
 * and what would go to a target that has just said it takes nothing.
 * Rejects, after the last send, where a result could not be recorded.
 */
export async function sendAll(
  items: readonly Sendable[],
  options: {
    targets: Readonly<Record<string, Target>>;
    timeout_ms: number;
    concurrency: number;
    until: number;
    signal?: AbortSignal | undefined;
    settle: (results: SettleItem[]) => Promise<unknown>;
  },
): Promise<SettleItem[]> {
  const all: SettleItem[] = [];
  const failures: unknown[] = [];
  const busy = new Set<string>();
  let waiting: SettleItem[] = [];
  let settling: Promise<void> | null = null;

  async function settleWaiting(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      await options.settle(batch).catch((error: unknown) => failures.push(error));
    }
    settling = null;
  }

  async function sendOne(item: Sendable): Promise<SendResult> {
    const target = targetOf(options.targets, item.target);
    if (!target) return notSent(`no target named ${item.target} is configured`);
    if (busy.has(item.target)) return notSent(`the target ${item.target} had just said that it takes nothing`);
    if (options.signal?.aborted) return notSent('the worker was stopped');
    if (performance.now() > options.until) return notSent('its lease was nearly over');
    const request = await item.request().catch(() => null);
    if (!request) return notSent('its payload cannot be had from the blob store now');
    return sendWebhook(target, request, options.timeout_ms);
  }

  let next = 0;
  async function lane(): Promise<void> {
    for (let item = items[next++]; item; item = items[next++]) {
      const result = await sendOne(item);
      if (result.busy) busy.add(item.target);
      const { entry_id, attempt_id } = item;
      const settled = { entry_id, attempt_id, outcome: result.outcome, answer: result.answer };
      all.push(settled);
      waiting.push(settled);
      settling ??= settleWaiting();
    }
  }
  await Promise.all(Array.from({ length: Math.min(options.concurrency, items.length) }, lane));
  await settling;
  if (failures.length > 0) throw failures[0];
  return all;
}
