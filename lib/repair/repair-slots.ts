import { DlqError } from '@/lib/contract/error';

/** A repair keeps a processor of the database busy: more of them at once would take the pages' share. */
const MOST_AT_ONCE = 2;

const key = Symbol.for('dead-letter-office.repairs');
const shared = globalThis as { [key]?: { running: number } };

/** Runs a repair where fewer than two of this process run. @throws DlqError rate_limited */
export async function inRepairSlot<T>(run: () => Promise<T>): Promise<T> {
  shared[key] ??= { running: 0 };
  const slots = shared[key];
  if (slots.running >= MOST_AT_ONCE)
    throw new DlqError('rate_limited', `${MOST_AT_ONCE} repairs are being computed; try again`, { retry_after_s: 2 });
  slots.running++;
  try {
    return await run();
  } finally {
    slots.running--;
  }
}
