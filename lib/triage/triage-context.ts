import type { Db } from '@/db/client';
import type { Role } from '@/lib/dead-letter/vocabulary';

/** What every verb of triage is called with. */
export interface TriageContext {
  db: Db;
  actor: { name: string; role: Role };
}
