import { countByGrid } from '@/db/queries/count-by-grid';
import { countByTime } from '@/db/queries/count-by-time';
import { describeSignatures } from '@/db/queries/describe-signatures';
import { foldTriage } from '@/db/queries/fold-triage';
import type { Triage } from '@/lib/contract/triage';
import { focusOf } from './focus';
import { binsFor, histogramOf } from './histogram';
import { type ListInput, list } from './list';
import { signatureOf } from './mask';
import type { TriageContext } from './triage-context';

/**
 * Everything the triage page shows for a filter, from one snapshot: the counts, the marks on the time axis, what is not
 * on the map, and the first page. `since` and `until` do not narrow the histogram.
 * @throws DlqError bad_request for a broken cursor.
 */
export async function triage(ctx: TriageContext, input: ListInput): Promise<Triage> {
  const { filter } = input;
  const { role } = ctx.actor;
  return ctx.db.transaction(
    async (tx) => {
      const fold = await foldTriage(tx, filter, role);
      const axis = fold.first_s === null || fold.last_s === null ? null : binsFor(fold.first_s, fold.last_s);
      const counts = axis ? await countByTime(tx, filter, role, axis.start_s, axis.bin_s) : [];
      const signatures = await describeSignatures(tx, filter, role, fold.signatures);
      const page = await list({ actor: ctx.actor, db: tx }, input);
      return {
        as_of: fold.as_of,
        total: fold.total,
        depth: fold.depth,
        facets: fold.facets,
        histogram: {
          bin_s: axis?.bin_s ?? 86_400,
          bins: axis ? histogramOf(axis, counts) : [],
          versions: fold.versions,
        },
        signatures: signatures.map((row) => signatureOf(row, role)),
        not_mapped: {
          total: fold.not_mapped.reduce((sum, { count }) => sum + count, 0),
          reasons: fold.not_mapped,
        },
        extent: fold.extent,
        focus: focusOf(await countByGrid(tx, filter, role), fold.extent),
        ...page,
      };
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  );
}
