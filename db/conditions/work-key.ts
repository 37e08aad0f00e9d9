import { type SQL, sql } from 'drizzle-orm';
import type { Role } from '@/lib/dead-letter/vocabulary';
import { likePattern } from './like-pattern';

/** A prefix of the key, or the whole key that was given where another one was derived from it (its index is a hash). */
export function workKeyCondition(prefix: string, role: Role): SQL {
  if (prefix.includes('\0')) return sql`false`;
  const is_key = sql`(e.work_key like ${`${likePattern(prefix)}%`}::text or e.idempotency_key = ${prefix}::text)`;
  // else a viewer could spell out a masked key letter by letter
  return role === 'viewer' ? sql`(${is_key} and not e.sensitive)` : is_key;
}
