import type { QueryClient } from '@tanstack/react-query';
import { queryKeys } from '@/lib/api/query-keys';

/** After an operation changed entries: everything that shows them is asked for again where it is on the page. */
export function invalidateEntries(client: QueryClient): void {
  for (const queryKey of [
    queryKeys.triage.all,
    queryKeys.list.all,
    queryKeys.entry.all,
    queryKeys.operations.list(),
    queryKeys.operations.running(),
    ['depth'],
  ])
    void client.invalidateQueries({ queryKey });
}
