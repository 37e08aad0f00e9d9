import { sql } from 'drizzle-orm';
import type { Token } from '@/lib/contract/token';
import type { Db } from '../client';
import { TOKEN_COLUMNS, type TokenRow } from './get-token';

/** Every token, newest first. Locks nothing. */
export async function listTokenRows(db: Db): Promise<Token[]> {
  const { rows } = await db.execute<TokenRow>(sql`select ${TOKEN_COLUMNS} from dlq.token t order by t.id desc`);
  return rows;
}
