import { type SQL, sql } from 'drizzle-orm';
import type { Role } from '@/lib/dead-letter/vocabulary';
import { entriesWhere, isIn } from './of-entry';
import { anyOf, type HasAny } from './set-values';

/** To a viewer a sensitive entry has no run: its run_id is masked, and must not be found by trying either. */
export function inRun(role: Role): HasAny {
  return ({ none, exact, prefixes }) => {
    const parts: SQL[] = [];
    if (none) parts.push(sql`not ${isIn(entriesWhere(role, sql`r.run_id is not null`))}`);
    if (exact.length > 0) parts.push(isIn(entriesWhere(role, sql`r.run_id = any(${sql.param(exact)}::text[])`)));
    for (const prefix of prefixes) parts.push(isIn(entriesWhere(role, sql`starts_with(r.run_id, ${prefix}::text)`)));
    return anyOf(parts);
  };
}
