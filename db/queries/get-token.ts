import { type SQL, sql } from 'drizzle-orm';
import type { Token } from '@/lib/contract/token';
import type { Db } from '../client';

/** A token as it is shown: everything but its hash. */
export type TokenRow = Token & Record<string, unknown>;

export const TOKEN_COLUMNS: SQL = sql`t.id::text, t.name, t.hint, t.scope, t.queue, t.task_names, t.captures_per_s,
  dlq.iso(t.created_at) as created_at, t.created_by, dlq.iso(t.last_used_at) as last_used_at,
  dlq.iso(t.expires_at) as expires_at, dlq.iso(t.revoked_at) as revoked_at`;

export type StoredToken = {
  name: string;
  token_hash: Buffer;
  queue: string | null;
  task_names: string[] | null;
  captures_per_s: number | null;
  expires_at: Date | null;
  revoked_at: Date | null;
};

/** What a token is recognised by, or nothing. Locks nothing. */
export async function getStoredToken(db: Db, id: string): Promise<StoredToken | undefined> {
  const { rows } = await db.execute<Omit<StoredToken, 'expires_at' | 'revoked_at'> & Record<string, unknown>>(sql`
    select t.name, t.token_hash, t.queue, t.task_names, t.captures_per_s,
      extract(epoch from t.expires_at)::float8 as expires_s, extract(epoch from t.revoked_at)::float8 as revoked_s
    from dlq.token t where t.id = ${id}::bigint`);
  const row = rows[0];
  return row && { ...row, expires_at: moment(row.expires_s), revoked_at: moment(row.revoked_s) };
}

function moment(seconds: unknown): Date | null {
  return typeof seconds === 'number' ? new Date(seconds * 1000) : null;
}
