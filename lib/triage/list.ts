import type { List } from '@/lib/contract/triage';
import { listByIndex } from './list-by-index';
import { type ListInput, listBySql } from './list-by-sql';
import type { TriageContext } from './triage-context';

export type { ListInput };

/** One page of the entries that match; the index finds them where it is ready. @throws DlqError bad_request for a broken cursor. */
export async function list(ctx: TriageContext, input: ListInput): Promise<List> {
  return (await listByIndex(ctx, input)) ?? listBySql(ctx, input);
}
