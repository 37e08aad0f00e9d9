import { type SQL, sql } from 'drizzle-orm';
import { NO_VALUE } from '@/lib/contract/filter';

/** Whether an entry has any of the values; null means no. */
export type HasAny = (values: Values) => SQL;
export interface Values {
  none: boolean;
  exact: string[];
  prefixes: string[];
}

/** Any of the included values and none of the excluded ones; what has no value has none of the excluded. */
export function setCondition(has: HasAny, values: readonly string[]): SQL {
  const included = values.filter((value) => !value.startsWith('!'));
  const excluded = values.filter((value) => value.startsWith('!')).map((value) => value.slice(1));
  const parts: SQL[] = [];
  if (included.length > 0) parts.push(has(valuesOf(included)));
  if (excluded.length > 0) parts.push(sql`not coalesce(${has(valuesOf(excluded))}, false)`);
  return allOf(parts);
}

/** Conditions joined by `and`; none at all is true. */
export function allOf(conditions: readonly SQL[]): SQL {
  return conditions.length === 0 ? sql`true` : sql`(${sql.join([...conditions], sql` and `)})`;
}

/** Conditions joined by `or`; none at all is false. */
export function anyOf(conditions: readonly SQL[]): SQL {
  return conditions.length === 0 ? sql`false` : sql`(${sql.join([...conditions], sql` or `)})`;
}

export function columnIs(column: SQL): HasAny {
  return ({ none, exact, prefixes }) => {
    const parts: SQL[] = [];
    if (none) parts.push(sql`${column} is null`);
    if (exact.length > 0) parts.push(sql`${column} = any(${sql.param(exact)}::text[])`);
    for (const prefix of prefixes) parts.push(sql`starts_with(${column}, ${prefix}::text)`);
    return anyOf(parts);
  };
}

function valuesOf(values: readonly string[]): Values {
  // PostgreSQL's text cannot hold U+0000, so nothing equals such a value
  const possible = values.filter((value) => !value.includes('\0'));
  return {
    none: possible.includes(NO_VALUE),
    exact: possible.filter((value) => value !== NO_VALUE && !value.endsWith('*')),
    prefixes: possible.filter((value) => value.endsWith('*')).map((value) => value.slice(0, -1)),
  };
}
