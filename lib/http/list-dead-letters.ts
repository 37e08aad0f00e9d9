import { filterFromSearch } from '@/lib/contract/filter';
import { list } from '@/lib/triage/list';
import { ORDER_PARAMETERS, readPageOrder } from '@/lib/triage/page-order';
import { route } from './route';

/** The input of a list from the query parameters: the filter and the order. @throws FilterError, DlqError bad_request. */
export function readListInput(search: URLSearchParams) {
  return { filter: filterFromSearch(search, ORDER_PARAMETERS), ...readPageOrder(search) };
}

/** `GET /api/dead-letters`: one page of the entries that match. */
export const listDeadLetters = route({ role: 'viewer', search: readListInput }, ({ ctx, search }) => list(ctx, search));
