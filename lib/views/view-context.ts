import type { Db } from '@/db/client';

/** What every verb of views is called with. */
export interface ViewContext {
  db: Db;
  actor: { name: string };
}
