import type { Db } from '@/db/client';
import { insertToken } from '@/db/queries/insert-token';
import { sqlStateOf } from '@/db/sql-state';
import { DlqError } from '@/lib/contract/error';
import type { CreatedToken, NewToken } from '@/lib/contract/token';
import { hashOf, newSecret, tokenText } from './token-text';

const UNIQUE_VIOLATION = '23505';

/**
 * Makes a producer's token; its text is in this answer and nowhere else.
 * @throws DlqError conflict where a token of the name is in use, bad_request where it would have expired already.
 */
export async function createToken(
  { db, actor }: { db: Db; actor: { name: string } },
  given: NewToken,
): Promise<CreatedToken> {
  if (given.expires_at && Date.parse(given.expires_at) <= Date.now())
    throw new DlqError('bad_request', `expires_at: ${given.expires_at} is past`);
  const secret = newSecret();
  try {
    const token = await insertToken(db, {
      name: given.name,
      queue: given.queue ?? null,
      task_names: given.task_names ?? null,
      captures_per_s: given.captures_per_s ?? null,
      expires_at: given.expires_at ?? null,
      token_hash: hashOf(secret),
      hint: secret.slice(-4),
      created_by: actor.name,
    });
    return { ...token, token: tokenText(token.id, secret) };
  } catch (error) {
    if (sqlStateOf(error) !== UNIQUE_VIOLATION) throw error;
    throw new DlqError(
      'conflict',
      `a token named ${given.name} is in use: revoke it (dlo token revoke '${given.name}'), or give this one another name`,
    );
  }
}
