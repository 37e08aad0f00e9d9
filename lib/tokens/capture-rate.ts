import { DlqError } from '@/lib/contract/error';
import type { Producer } from '@/lib/contract/token';

/** A burst of so many seconds' worth is taken at once. */
const BURST_S = 10;

interface Bucket {
  left: number;
  at: number;
}

const key = Symbol.for('dead-letter-office.capture-rates');
const shared = globalThis as { [key]?: Map<string, Bucket> };

/**
 * Refuses a producer that has sent more captures than its token allows on average. What a request brings is known
 * when it was read, so a long one is taken whole and the next one waits for it.
 * @throws DlqError rate_limited with the seconds until the next one is taken.
 */
export function checkCaptureRate(producer: Producer, now = performance.now()): void {
  if (producer.captures_per_s === null) return;
  const { left } = refilled(producer.token_id, producer.captures_per_s, now);
  if (left > 0) return;
  throw new DlqError(
    'rate_limited',
    `the token ${producer.name} may send ${producer.captures_per_s} captures a second; send this again after Retry-After`,
    { retry_after_s: (1 - left) / producer.captures_per_s },
  );
}

/** Counts what a producer sent. */
export function countCaptures(producer: Producer | null, captures: number, now = performance.now()): void {
  if (producer === null || producer.captures_per_s === null) return;
  refilled(producer.token_id, producer.captures_per_s, now).left -= captures;
}

function refilled(token_id: string, captures_per_s: number, now: number): Bucket {
  shared[key] ??= new Map();
  const most = Math.max(1, captures_per_s * BURST_S);
  const bucket = shared[key].get(token_id) ?? { left: most, at: now };
  bucket.left = Math.min(most, bucket.left + ((now - bucket.at) / 1000) * captures_per_s);
  bucket.at = now;
  shared[key].set(token_id, bucket);
  return bucket;
}
