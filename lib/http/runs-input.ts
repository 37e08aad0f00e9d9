import { DlqError } from '@/lib/contract/error';
import { RUN_STATUSES } from '@/lib/contract/run';
import type { GetRunInput } from '@/lib/runs/get-run';
import type { ListRunsInput } from '@/lib/runs/list-runs';
import { readLimit } from './read-limit';

const MAX_RUNS = 500;
const MAX_HOLES = 10_000;

/** The query parameters of the list of runs. @throws DlqError bad_request naming the parameter. */
export function readRunsInput(search: URLSearchParams): ListRunsInput {
  const given = search.get('status');
  const status = RUN_STATUSES.find((one) => one === given) ?? null;
  if (given !== null && status === null)
    throw new DlqError('bad_request', `status takes ${RUN_STATUSES.join(', ')}, not “${given.slice(0, 40)}”`);
  return {
    queue: search.get('queue'),
    task_name: search.get('task_name'),
    status,
    cursor: search.get('cursor'),
    limit: readLimit(search, { most: MAX_RUNS, otherwise: 50 }),
  };
}

/** The query parameters of one run. @throws DlqError bad_request naming the parameter. */
export function readRunInput(search: URLSearchParams): Omit<GetRunInput, 'run_id'> {
  return {
    queue: search.get('queue'),
    task_name: search.get('task_name'),
    cursor: search.get('cursor'),
    limit: readLimit(search, { most: MAX_HOLES, otherwise: 1000 }),
  };
}
