import type { Triage } from '@/lib/contract/triage';
import type { ListInput } from './list-by-sql';
import { triageByIndex } from './triage-by-index';
import { triageBySql } from './triage-by-sql';
import type { TriageContext } from './triage-context';

/**
 * Everything the triage page shows for a filter, from one moment: the counts, the marks on the time axis, what is not on
 * the map, and the first page. `since` and `until` do not narrow the histogram. The index answers where it is ready.
 * @throws DlqError bad_request for a broken cursor.
 */
export async function triage(ctx: TriageContext, input: ListInput): Promise<Triage> {
  return (await triageByIndex(ctx, input)) ?? triageBySql(ctx, input);
}
