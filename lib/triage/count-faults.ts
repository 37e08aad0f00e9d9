import { COUNTED_ENTRIES, countFaults as countRows } from '@/db/queries/count-faults';
import type { Filter } from '@/lib/contract/filter';
import type { FaultFacet } from '@/lib/contract/triage';
import type { TriageContext } from './triage-context';

/** The facet of faults: apart from the triage answer, since no dictionary has what an entry can have several of. */
export async function countFaults(ctx: TriageContext, filter: Filter): Promise<FaultFacet> {
  const { values, distinct, entries } = await countRows(ctx.db, filter, ctx.actor.role);
  return { values, distinct, capped: entries >= COUNTED_ENTRIES };
}
