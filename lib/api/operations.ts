import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import {
  type ITEM_OUTCOMES,
  type Operation,
  operationItemSchema,
  operationSchema,
  type Preview,
  type PreviewRequest,
  previewSchema,
  type StartRequest,
} from '../contract/operation';
import { fetchJson } from './fetch-json';
import { queryKeys } from './query-keys';

const operationListSchema = z.object({ items: z.array(operationSchema), next_cursor: z.string().nullable() });
const operationItemListSchema = z.object({ items: z.array(operationItemSchema), next_cursor: z.string().nullable() });

/** How often an operation under way is asked for, in ms. */
const RUNNING_EVERY_MS = 1_000;

/** Freezes the set and says what would happen to it. Changes nothing else. */
export function previewOperation(request: PreviewRequest, signal?: AbortSignal): Promise<Preview> {
  return fetchJson(previewSchema, '/api/operations/preview', {
    method: 'POST',
    body: request,
    ...(signal ? { signal } : {}),
  });
}

/** Starts what was previewed. */
export function startOperation(request: StartRequest): Promise<Operation> {
  return fetchJson(operationSchema, '/api/operations', { method: 'POST', body: request });
}

export const pauseOperation = (id: string) => command(id, 'pause');
export const resumeOperation = (id: string) => command(id, 'resume');
export const cancelOperation = (id: string) => command(id, 'cancel');

function command(id: string, verb: 'pause' | 'resume' | 'cancel'): Promise<Operation> {
  return fetchJson(operationSchema, `/api/operations/${encodeURIComponent(id)}/${verb}`, { method: 'POST' });
}

/** One operation with its counts; asked again every second while it runs. */
export function operationQuery(id: string) {
  return queryOptions({
    queryKey: queryKeys.operations.one(id),
    queryFn: ({ signal }) => fetchJson(operationSchema, `/api/operations/${encodeURIComponent(id)}`, { signal }),
    refetchInterval: (query) => (isUnderWay(query.state.data) ? RUNNING_EVERY_MS : false),
  });
}

/** The operations, newest first. */
export function operationsQuery() {
  return infiniteQueryOptions({
    queryKey: queryKeys.operations.list(),
    queryFn: ({ signal, pageParam }) =>
      fetchJson(operationListSchema, `/api/operations${cursorSearch(pageParam)}`, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  });
}

/** The operations that run now, newest first, at most a page of them. */
export function runningOperationsQuery() {
  return queryOptions({
    queryKey: queryKeys.operations.running(),
    queryFn: ({ signal }) => fetchJson(operationListSchema, '/api/operations?state=running', { signal }),
  });
}

/** What became of each member of the frozen set; `outcome` narrows it to one. */
export function operationItemsQuery(id: string, outcome: (typeof ITEM_OUTCOMES)[number] | null = null) {
  return infiniteQueryOptions({
    queryKey: queryKeys.operations.items(id, outcome),
    queryFn: ({ signal, pageParam }) =>
      fetchJson(
        operationItemListSchema,
        `/api/operations/${encodeURIComponent(id)}/items${cursorSearch(pageParam, outcome)}`,
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  });
}

/** Running, or finished with sends whose answers are still to come. */
export function isUnderWay(operation: Operation | undefined): boolean {
  if (!operation) return false;
  return operation.state === 'running' || operation.outcomes.in_flight > 0;
}

function cursorSearch(cursor: string | null, outcome: string | null = null): string {
  const search = new URLSearchParams();
  if (outcome) search.set('outcome', outcome);
  if (cursor) search.set('cursor', cursor);
  const text = search.toString();
  return text === '' ? '' : `?${text}`;
}
