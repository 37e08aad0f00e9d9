import { countByGrid } from '@/db/queries/count-by-grid';
import { countByTime } from '@/db/queries/count-by-time';
import { describeSignatures } from '@/db/queries/describe-signatures';
import { foldTriage } from '@/db/queries/fold-triage';
import type { Triage } from '@/lib/contract/triage';
import { focusOf } from './focus';
import { binsFor, histogramOf } from './histogram';
import { type ListInput, listBySql } from './list-by-sql';
import { signatureOf } from './mask';
import type { TriageContext } from './triage-context';

/** What the triage page shows, counted by the database from one snapshot. @throws DlqError bad_request for a broken cursor. */
export async function triageBySql(ctx: TriageContext, input: ListInput): Promise<Triage> {
  const { filter } = input;
  const { role } = ctx.actor;
  return ctx.db.transaction(
    async (tx) => {
      const fold = await foldTriage(tx, filter, role);
      const axis = fold.first_s === null || fold.last_s === null ? null : binsFor(fold.first_s, fold.last_s);
      const counts = axis ? await countByTime(tx, filter, role, axis.start_s, axis.bin_s) : [];
      const signatures = await describeSignatures(tx, filter, role, fold.signatures);
      const page = await listBySql({ actor: ctx.actor, db: tx }, input);
      return {
        as_of: fold.as_of,
        capped: false,
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
