import type { Db } from '@/db/client';
import { listTokenRows } from '@/db/queries/list-tokens';
import type { Token } from '@/lib/contract/token';

/** Every token, newest first, those that were revoked or have expired too. */
export async function listTokens({ db }: { db: Db }): Promise<{ items: Token[] }> {
  return { items: await listTokenRows(db) };
}
