import { sql } from 'drizzle-orm';
import type { Db, Tx } from '@/db/client';
import type { SignatureRow } from './describe-signatures';

/** The example of each signature with its normalised text, in the order given; an entry that is no more is left out. */
export async function describeExamples(
  db: Db | Tx,
  signatures: readonly { signature: string; count: number; failed_at: string; example_id: number }[],
): Promise<SignatureRow[]> {
  if (signatures.length === 0) return [];
  const { rows } = await db.execute<SignatureRow>(sql`
    select w.signature, w.n as count, x.failure_class, x.error_type, nullif(dlq.normalise_error(x.error_text), '') as error_text,
      dlq.iso((select min(i.first_seen) from dlq.entry i where i.signature = w.signature)) as first_seen,
      w.failed_at, x.id::text as example_id, x.sensitive
    from unnest(${sql.param(signatures.map(({ signature }) => signature))}::text[],
        ${sql.param(signatures.map(({ count }) => count))}::integer[],
        ${sql.param(signatures.map(({ failed_at }) => failed_at))}::text[],
        ${sql.param(signatures.map(({ example_id }) => example_id))}::bigint[])
      with ordinality w(signature, n, failed_at, example_id, place)
    cross join lateral (select e.* from dlq.entry e where e.id = w.example_id offset 0) x
    order by w.place`);
  return rows;
}
