import { describeExamples } from '@/db/queries/describe-examples';
import type { Triage } from '@/lib/contract/triage';
import type { IndexFold } from '@/lib/index/answers';
import { focusOf } from './focus';
import { binsFor, histogramOf, inBins } from './histogram';
import { indexQuestion } from './index-query';
import { isoInstant } from './iso-instant';
import { readStretch } from './list-by-index';
import type { ListInput } from './list-by-sql';
import { itemOf, signatureOf } from './mask';
import { pageOf } from './page-of';
import type { TriageContext } from './triage-context';
import { there, withIndex } from './with-index';

const LIMITS = { facet_values: 50, signatures: 100, versions: 200 };

/**
 * What the triage page shows, counted by the index; the rows and the texts of signatures are read by their keys. Null
 * where there is no index. @throws DlqError bad_request for a broken cursor.
 */
export function triageByIndex(ctx: TriageContext, input: ListInput): Promise<Triage | null> {
  return withIndex(async (index) => {
    const question = await indexQuestion(ctx, index, input.filter);
    const { query, capped } = question;
    // the page is looked for while the index counts; what fails here is told where it is awaited
    const counting = index.ask('triage', { query, limits: LIMITS }, ctx.signal).then(there);
    const describing = counting.then(({ fold }) => describe(ctx, fold));
    describing.catch(() => {});
    const { rows, ...cursors } = await pageOf(input, (stretch) => readStretch(ctx, index, input, question, stretch));
    const { fold, as_of } = await counting;
    return {
      as_of,
      capped,
      total: fold.total,
      depth: fold.depth,
      facets: fold.facets,
      histogram: histogram(fold),
      signatures: await describing,
      not_mapped: { total: fold.not_mapped.reduce((sum, { count }) => sum + count, 0), reasons: fold.not_mapped },
      extent: fold.extent,
      focus: focusOf(fold.grid, fold.extent),
      items: rows.map((row) => itemOf(row, ctx.actor.role)),
      ...cursors,
    };
  });
}

async function describe(ctx: TriageContext, fold: IndexFold): Promise<Triage['signatures']> {
  const wanted = fold.signatures.map(({ failed_at_us, ...one }) => ({ ...one, failed_at: isoInstant(failed_at_us) }));
  const rows = await describeExamples(ctx.db, wanted);
  return rows.map((row) => signatureOf(row, ctx.actor.role));
}

function histogram({ first_s, last_s, days, versions }: IndexFold): Triage['histogram'] {
  const axis = first_s === null || last_s === null ? null : binsFor(first_s, last_s);
  return {
    bin_s: axis?.bin_s ?? 86_400,
    bins: axis ? histogramOf(axis, inBins(axis, days)) : [],
    versions: versions.map(({ code_version, first_seen_us }) => ({
      code_version,
      first_seen: isoInstant(first_seen_us),
    })),
  };
}
