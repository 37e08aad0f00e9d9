import { sql } from 'drizzle-orm';
import type { Token } from '@/lib/contract/token';
import type { Db } from '../client';
import { TOKEN_COLUMNS, type TokenRow } from './get-token';

/**
 * Revokes the token of an id, or of a name: that one which is in use, else the newest. Locks its row; the moment of an
 * earlier revocation stays. Nothing comes back where there is none.
 */
export async function revokeToken(db: Db, which: string): Promise<Token | undefined> {
  const { rows } = await db.execute<TokenRow>(sql`
    update dlq.token t set revoked_at = coalesce(t.revoked_at, clock_timestamp())
    where t.id = (
      select x.id from dlq.token x where x.id::text = ${which}::text or x.name = ${which}::text
      order by x.revoked_at is null desc, x.id desc limit 1)
    returning ${TOKEN_COLUMNS}`);
  return rows[0];
}
