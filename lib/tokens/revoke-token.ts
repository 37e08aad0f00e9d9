import type { Db } from '@/db/client';
import { revokeToken as revokeTokenRow } from '@/db/queries/revoke-token';
import { DlqError } from '@/lib/contract/error';
import type { Token } from '@/lib/contract/token';
import { forgetToken } from './recognise-token';

/**
 * Ends a token for good, here at once and in other processes within ten seconds. One that was revoked before stays so.
 * @param which its id, or its name
 * @throws DlqError not_found
 */
export async function revokeToken({ db }: { db: Db }, which: string): Promise<Token> {
  const token = await revokeTokenRow(db, which);
  if (!token) throw new DlqError('not_found', `there is no token ${which.slice(0, 100)}; dlo token list shows them`);
  forgetToken(token.id);
  return token;
}
