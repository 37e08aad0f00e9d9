import { signatureTrendRows } from '@/db/queries/signature-trends';
import type { Filter } from '@/lib/contract/filter';
import { MAX_TREND_BINS, type SignatureTrends } from '@/lib/contract/signature-trends';
import { trendsOf } from './signatures-series';
import type { TriageContext } from './triage-context';

/** The trends of the most frequent signatures among the entries that match, and their tasks. */
export async function signatureTrends({ db, actor }: TriageContext, filter: Filter): Promise<SignatureTrends> {
  return trendsOf(await signatureTrendRows(db, filter, actor.role, MAX_TREND_BINS));
}
