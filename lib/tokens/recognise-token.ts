import type { Db } from '@/db/client';
import { getStoredToken } from '@/db/queries/get-token';
import { touchToken } from '@/db/queries/touch-token';
import { DlqError } from '@/lib/contract/error';
import type { Producer } from '@/lib/contract/token';
import { getLog } from '@/lib/log';
import { loggableError } from '@/lib/loggable-error';
import { TokenCache } from './token-cache';
import { isSecretOf, readTokenText } from './token-text';

/** last_used_at is for people: a minute is fine enough, and a write for each request is not. */
const TOUCH_MS = 60_000;

interface Known {
  cache: TokenCache;
  /** When each token's use was last written, by its id. */
  touched: Map<string, number>;
}

/** Each route is a module of its own, and a revocation in one counts in all. */
const key = Symbol.for('dead-letter-office.tokens');
const shared = globalThis as { [key]?: Known };

function getKnown(): Known {
  shared[key] ??= { cache: new TokenCache(), touched: new Map() };
  return shared[key];
}

/**
 * Whose token this is.
 * @param text as it stood after Bearer
 * @throws DlqError unauthorized, which names the token by its id and never by its text.
 */
export async function recogniseToken(db: Db, text: string): Promise<Producer> {
  const given = readTokenText(text);
  if (!given)
    throw new DlqError('unauthorized', 'the bearer token is not of the form dlo_p_<id>_<secret>: send it whole');
  const { cache, touched } = getKnown();
  const stored = await cache.get(given.id, (id) => getStoredToken(db, id));
  if (!stored || !isSecretOf(stored.token_hash, given.secret))
    throw new DlqError('unauthorized', `the token dlo_p_${given.id}_… is not one of this server`);
  const named = `the token ${stored.name} (dlo_p_${given.id}_…)`;
  if (stored.revoked_at !== null)
    throw new DlqError('unauthorized', `${named} was revoked at ${stored.revoked_at.toISOString()}`);
  if (stored.expires_at !== null && stored.expires_at.getTime() <= Date.now())
    throw new DlqError('unauthorized', `${named} expired at ${stored.expires_at.toISOString()}: make another`);
  touch(db, touched, given.id);
  const { name, queue, task_names, captures_per_s } = stored;
  return { token_id: given.id, name, queue, task_names, captures_per_s };
}

/** The same process sees a revocation at once. */
export function forgetToken(id: string): void {
  shared[key]?.cache.forget(id);
}

/** Nobody waits for this write, and its failure is no request's. */
function touch(db: Db, touched: Map<string, number>, id: string): void {
  const now = performance.now();
  const last = touched.get(id);
  if (last !== undefined && now - last < TOUCH_MS) return;
  touched.set(id, now);
  touchToken(db, id).catch((error: unknown) => {
    getLog().warn({ token_id: id, error: loggableError(error) }, 'the use of a token was not noted');
  });
}
