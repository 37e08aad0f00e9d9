import { sql } from 'drizzle-orm';
import type { Db } from '@/db/client';

/** Asks for a new diagnosis of the entries whose current payload names a blob. Locks their diagnoses, in the order of the ids. */
export async function renewDiagnoses(db: Db, sha256: string): Promise<void> {
  await db.execute(sql`
    with naming as materialized (
      select d.entry_id
      from dlq.payload p
      join dlq.entry e on e.id = p.entry_id and e.payload_hash = p.payload_hash
      join dlq.diagnosis d on d.entry_id = e.id
      where p.payload_ref = ${`sha256:${sha256}`}::text
      order by d.entry_id
      for no key update of d
    )
    update dlq.diagnosis d set diagnosed_at = null, tries = 0 from naming n where d.entry_id = n.entry_id`);
}
