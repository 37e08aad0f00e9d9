import type { QueryClient } from '@tanstack/react-query';
import { isUnderWay, operationQuery } from '@/lib/api/operations';
import type { Operation } from '@/lib/contract/operation';

const EVERY_MS = 400;
const AT_MOST_MS = 12_000;

/** The operation once it is over, or null where it takes longer than one waits for a message, or no answer comes. */
export async function waitForEnd(client: QueryClient, operation: Operation): Promise<Operation | null> {
  const until = Date.now() + AT_MOST_MS;
  let seen = operation;
  while (isUnderWay(seen)) {
    if (Date.now() > until) return null;
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
    try {
      seen = await client.fetchQuery({ ...operationQuery(operation.id), staleTime: 0 });
    } catch {
      // it is started and durable whether this page hears of it or not; its own page says how it goes
      return null;
    }
  }
  return seen;
}
