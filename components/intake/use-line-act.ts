'use client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { invalidateEntries } from '@/components/operations/invalidate-entries';
import { queryKeys } from '@/lib/api/query-keys';
import { dismissRejected, retryRejected } from '@/lib/api/spool';
import { lineProblem, retriedText } from './rejected.model';

export type LineVerb = 'retry' | 'dismiss';
/** What came of it, to be said. */
export interface LineResult {
  id: string;
  is_done: boolean;
  text: string;
  entry_id: string | null;
}

/** Tries a line again or sets it aside. Never optimistic: the list changes once the server has said so. */
export function useLineAct(onResult: (result: LineResult) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ id, verb }: { id: string; verb: LineVerb }): Promise<LineResult> => {
      if (verb === 'dismiss') {
        await dismissRejected(id);
        return { id, is_done: true, text: 'Set aside', entry_id: null };
      }
      const captured = await retryRejected(id);
      return { id, is_done: true, text: retriedText(captured), entry_id: captured.id };
    },
    onSuccess: (result) => {
      void client.invalidateQueries({ queryKey: queryKeys.spool.all });
      if (result.entry_id) invalidateEntries(client);
      onResult(result);
    },
    onError: (error, { id }) => {
      // somebody else was faster, or the reason is another one now
      void client.invalidateQueries({ queryKey: queryKeys.spool.all });
      onResult({ id, is_done: false, text: lineProblem(error), entry_id: null });
    },
  });
}
