import type { Db } from '@/db/client';
import type { Role } from '@/lib/dead-letter/vocabulary';

/** What every verb of operations is called with. */
export interface OperationContext {
  db: Db;
  actor: { name: string; role: Role };
}
