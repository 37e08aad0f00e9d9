import { sql } from 'drizzle-orm';
import type { Db, Tx } from '@/db/client';
import type { Captured } from '@/lib/contract/capture';
import type { Proposal } from './capture';

/**
 * Writes many dead letters in one statement; the answers are in the order of the proposals. Entries are locked in the
 * order of their keys, whatever order they came in: two batches over the same keys then wait, and never for each other.
 */
export async function captureMany(db: Db | Tx, proposals: readonly Proposal[]): Promise<Captured[]> {
  const texts = proposals.map(({ p }) => p);
  const bytes = proposals.map(({ wkb }) => (wkb === null ? null : `\\x${Buffer.from(wkb).toString('hex')}`));
  const { rows } = await db.execute<Captured & Record<string, unknown>>(sql`
    select c.entry_id::text as id, c.work_key, c.attempts, c.outcome
    from (
      select t.p::jsonb as p, t.wkb, t.n
      from unnest(${sql.param(texts)}::text[], ${sql.param(bytes)}::bytea[]) with ordinality as t (p, wkb, n)
      order by (t.p::jsonb ->> 'work_key') collate "C", t.n
    ) x, lateral dlq.capture(x.p, x.wkb) c
    order by x.n`);
  return rows;
}
