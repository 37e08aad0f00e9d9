import { sql } from 'drizzle-orm';
import type { Token } from '@/lib/contract/token';
import type { Db } from '../client';
import { TOKEN_COLUMNS, type TokenRow } from './get-token';

export interface TokenToInsert {
  name: string;
  token_hash: Uint8Array;
  hint: string;
  queue: string | null;
  task_names: readonly string[] | null;
  captures_per_s: number | null;
  expires_at: string | null;
  created_by: string;
}

/** Stores a new token. A name that another one in use has raises a unique violation. */
export async function insertToken(db: Db, token: TokenToInsert): Promise<Token> {
  const { rows } = await db.execute<TokenRow>(sql`
    insert into dlq.token as t (name, token_hash, hint, queue, task_names, captures_per_s, expires_at, created_by)
    values (${token.name}::text, ${Buffer.from(token.token_hash)}::bytea, ${token.hint}::text, ${token.queue}::text,
      ${sql.param(token.task_names)}::text[], ${token.captures_per_s}::double precision, ${token.expires_at}::timestamptz,
      ${token.created_by}::text)
    returning ${TOKEN_COLUMNS}`);
  return rows[0]!;
}
