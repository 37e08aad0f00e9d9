import { type SQL, sql } from 'drizzle-orm';
import type { Role } from '@/lib/dead-letter/vocabulary';

/**
 * What is asked of the entry `r` itself. As `exists` it becomes a join that either side can lead. To a viewer a sensitive
 * entry is never there: else its masked text could be found by trying.
 */
export function ofEntry(role: Role, condition: SQL): SQL {
  return sql`exists (select from dlq.entry r where r.id = s.entry_id and ${condition}${shownTo(role)})`;
}

/** What is asked of the current payload `p` of the entry `r`. */
export function ofPayload(role: Role, condition: SQL): SQL {
  return sql`exists (select from dlq.payload p join dlq.entry r on r.id = p.entry_id and r.payload_hash = p.payload_hash
    where p.entry_id = s.entry_id and ${condition}${shownTo(role)})`;
}

/** What is asked of the footprint of the diagnosis `d`. */
export function ofFootprint(role: Role, condition: SQL): SQL {
  const entry = role === 'viewer' ? sql` join dlq.entry r on r.id = d.entry_id` : sql``;
  return sql`exists (select from dlq.diagnosis d${entry} where d.entry_id = s.entry_id and ${condition}${shownTo(role)})`;
}

function shownTo(role: Role): SQL {
  return role === 'viewer' ? sql` and not r.sensitive` : sql``;
}
