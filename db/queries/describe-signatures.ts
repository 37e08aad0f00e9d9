import { sql } from 'drizzle-orm';
import type { Db, Tx } from '@/db/client';
import { matching, needsEntry } from '@/db/filter-sql';
import type { Filter } from '@/lib/contract/filter';
import type { Role } from '@/lib/dead-letter/vocabulary';

export interface SignatureRow extends Record<string, unknown> {
  signature: string;
  count: number;
  failure_class: string;
  error_type: string | null;
  error_text: string | null;
  first_seen: string;
  failed_at: string;
  example_id: string;
  sensitive: boolean;
}

/**
 * The newest matching entry of each signature with its normalised text, in the order given. `example_at` leads to it by
 * the time index; `first_seen` is that of the signature, whatever the filter.
 */
export async function describeSignatures(
  db: Db | Tx,
  filter: Filter,
  role: Role,
  signatures: readonly { signature: string; count: number; failed_at: string; example_at: string }[],
): Promise<SignatureRow[]> {
  if (signatures.length === 0) return [];
  const { rows } = await db.execute<SignatureRow>(sql`
    select w.signature, w.n as count, x.failure_class, x.error_type, nullif(dlq.normalise_error(x.error_text), '') as error_text,
      dlq.iso((select min(i.first_seen) from dlq.entry i where i.signature = w.signature)) as first_seen,
      dlq.iso(w.failed_at) as failed_at, x.id::text as example_id, x.sensitive
    from unnest(${sql.param(signatures.map(({ signature }) => signature))}::text[],
        ${sql.param(signatures.map(({ count }) => count))}::integer[],
        ${sql.param(signatures.map(({ failed_at }) => failed_at))}::timestamptz[],
        ${sql.param(signatures.map(({ example_at }) => example_at))}::timestamptz[])
      with ordinality w(signature, n, failed_at, example_at, place)
    cross join lateral (
      select s.entry_id
      from dlq.state s join dlq.combo c on c.id = s.combo
      ${needsEntry(filter) ? sql`join dlq.entry e on e.id = s.entry_id` : sql``}
      where s.failed_at = w.example_at and c.signature = w.signature and ${matching(filter, role)}
      order by c.sensitive, s.entry_id desc limit 1) newest
    join dlq.entry x on x.id = newest.entry_id
    order by w.place`);
  return rows;
}
