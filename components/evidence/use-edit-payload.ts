'use client';
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { invalidateEntries } from '@/components/operations/invalidate-entries';
import { useToast } from '@/components/ui/toast';
import { editPayload } from '@/lib/api/edit';
import { evidenceQuery } from '@/lib/api/evidence';
import { queryKeys } from '@/lib/api/query-keys';
import type { PayloadEditBody } from '@/lib/contract/edit';
import type { Entry } from '@/lib/contract/entry';

/** What is done to the payload; what was seen and why are added when it is sent. */
export type EditChange = Omit<PayloadEditBody, 'payload_hash' | 'version' | 'reason'>;

/** How long a diagnosis of the new payload is waited for. */
const LOOKS = 20;
const LOOK_MS = 1000;

/** Sends an edit of what the page shows, then shows the new payload, and its diagnosis as soon as the worker has made it. */
export function useEditPayload(entry: Entry) {
  const client = useQueryClient();
  const toast = useToast();
  return useMutation({
    mutationFn: ({ change, reason }: { change: EditChange; reason: string }) =>
      editPayload(entry.id, {
        ...change,
        payload_hash: entry.payload.payload_hash,
        version: entry.version,
        reason: reason.trim(),
      }),
    onSuccess: ({ edited_by }) => {
      toast({
        tone: 'ok',
        text: edited_by === null ? 'The payload is as captured again' : 'The edited payload is the current one',
      });
      void showDiagnosis(client, entry.id);
    },
    onSettled: () => {
      invalidateEntries(client);
      void client.invalidateQueries({ queryKey: queryKeys.evidence.one(entry.id) });
    },
  });
}

async function showDiagnosis(client: QueryClient, id: string): Promise<void> {
  for (let look = 0; look < LOOKS; look++) {
    await new Promise((next) => setTimeout(next, LOOK_MS));
    const evidence = await client.fetchQuery({ ...evidenceQuery(id), staleTime: 0 }).catch(() => null);
    if (evidence?.diagnosed_at) break;
  }
  invalidateEntries(client);
}

/** Why the payload of an entry cannot be edited now, or null where it can. */
export function editRefusal({ state }: Pick<Entry, 'state'>): string | null {
  if (state === 'open' || state === 'quarantined') return null;
  if (state === 'resolved') return 'It is resolved; reopen it first';
  return state === 'in_doubt' ? 'Nothing is known of its redrive; say first what happened' : 'A redrive is under way';
}
