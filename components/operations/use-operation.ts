'use client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useToast } from '@/components/ui/toast';
import { ApiError } from '@/lib/api/api-error';
import { cancelOperation, isUnderWay, operationQuery, pauseOperation, resumeOperation } from '@/lib/api/operations';
import { queryKeys } from '@/lib/api/query-keys';
import type { Operation } from '@/lib/contract/operation';
import { invalidateEntries } from './invalidate-entries';

const UNDER_WAY_MS = 1_000;
/** Somebody else may resume it, and a pipeline may still answer what it accepted. */
const AT_REST_MS = 5_000;

type Verb = 'pause' | 'resume' | 'cancel';
const VERBS: Record<Verb, (id: string) => Promise<Operation>> = {
  pause: pauseOperation,
  resume: resumeOperation,
  cancel: cancelOperation,
};

/** One operation, live, and what steers it. The last answer stays through an outage. */
export function useOperation(id: string) {
  const client = useQueryClient();
  const toast = useToast();
  const options = operationQuery(id);
  const query = useQuery({
    ...options,
    refetchInterval: ({ state: { data } }) => (data ? everyMs(data) : AT_REST_MS),
  });
  const operation = query.data;
  const steer = useMutation({
    mutationFn: (verb: Verb) => VERBS[verb](id),
    onSuccess: (answer) => {
      client.setQueryData(options.queryKey, answer);
      void client.invalidateQueries({ queryKey: queryKeys.operations.running() });
    },
    onError: (error) => {
      // somebody was faster: what it is now is shown at once
      if (error instanceof ApiError && error.code === 'conflict') void query.refetch();
      toast({ tone: 'bad', text: sentence(error.message), ms: 8_000 });
    },
  });
  useEndOf(operation);
  return {
    operation,
    error: query.error,
    retry: () => void query.refetch(),
    steer: steer.mutate,
    steering: steer.isPending,
  };
}

/** How often it is asked for, in ms, or false once nothing can change any more. */
function everyMs(operation: Operation): number | false {
  if (isUnderWay(operation)) return UNDER_WAY_MS;
  return operation.state === 'paused' || operation.outcomes.accepted > 0 ? AT_REST_MS : false;
}

/**
 * When it ends under one's eyes, or a pipeline answers afterwards what it had accepted, the items and all that shows
 * entries are asked for once more.
 */
function useEndOf(operation: Operation | undefined): void {
  const client = useQueryClient();
  const before = useRef<string | null | undefined>(undefined);
  const settled = !operation ? undefined : isUnderWay(operation) ? null : JSON.stringify(operation.outcomes);
  useEffect(() => {
    if (before.current !== undefined && typeof settled === 'string' && before.current !== settled) {
      invalidateEntries(client);
      void client.invalidateQueries({ queryKey: [...queryKeys.operations.all, 'items'] });
    }
    before.current = settled;
  }, [settled, client]);
}

const sentence = (text: string) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
