import { DlqError } from '@/lib/contract/error';
import { REPAIR_METHODS, type RepairMethod } from '@/lib/contract/repair';

/** The query parameter `method`; linework where it is left out. @throws DlqError bad_request. */
export function readRepairMethod(search: URLSearchParams): RepairMethod {
  const given = search.get('method') ?? 'linework';
  const method = REPAIR_METHODS.find((one) => one === given);
  if (!method)
    throw new DlqError('bad_request', `method takes ${REPAIR_METHODS.join(' or ')}, not “${given.slice(0, 40)}”`);
  return method;
}
