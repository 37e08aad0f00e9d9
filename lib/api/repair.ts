import { queryOptions } from '@tanstack/react-query';
import { type RepairMethod, repairSchema } from '../contract/repair';
import { ApiError } from './api-error';
import { fetchJson } from './fetch-json';

/** Above all that a repair may take on the server: 8 s to repair, 4 s for each of its figures, and the way of 32 MB. */
const DEADLINE_MS = 45_000;
/** Times that a busy server is asked again by itself, each after `BUSY_MS`: a repair that nobody waits for any more runs to its end. */
const BUSY_RETRIES = 5;
const BUSY_MS = 2_000;

export const isBusy = (error: unknown): boolean => error instanceof ApiError && error.code === 'rate_limited';

/** What a repair of the payload of this hash would do. Computed anew for each payload and method, and kept while it is looked at. */
export function repairQuery(id: string, payload_hash: string, method: RepairMethod) {
  return queryOptions({
    queryKey: ['repair', id, payload_hash, method] as const,
    queryFn: ({ signal }) =>
      withinDeadline(signal, (limited) =>
        fetchJson(repairSchema, `/api/dead-letters/${encodeURIComponent(id)}/repair?method=${method}`, {
          signal: limited,
        }),
      ),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 30_000,
    structuralSharing: false,
    retry: (failures, error) =>
      isBusy(error) ? failures < BUSY_RETRIES : failures < 1 && error instanceof ApiError && error.code === 'network',
    retryDelay: (_, error) => (isBusy(error) ? BUSY_MS : 500),
  });
}

/** @throws ApiError timeout where no answer came in time */
async function withinDeadline<T>(signal: AbortSignal, ask: (limited: AbortSignal) => Promise<T>): Promise<T> {
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), DEADLINE_MS);
  try {
    return await ask(AbortSignal.any([signal, deadline.signal]));
  } catch (error) {
    if (!deadline.signal.aborted || signal.aborted) throw error;
    throw new ApiError('timeout', `No answer came within ${DEADLINE_MS / 1000} s`, 0);
  } finally {
    clearTimeout(timer);
  }
}
