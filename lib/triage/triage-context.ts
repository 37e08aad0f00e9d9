import type { Db } from '@/db/client';
import type { Role } from '@/lib/dead-letter/vocabulary';

/** What every verb of triage is called with. */
export interface TriageContext {
  db: Db;
  actor: { name: string; role: Role };
  /** Aborts when nobody waits for the answer any more. */
  signal?: AbortSignal;
}
