import { type SQL, sql } from 'drizzle-orm';
import { bboxCondition, positionFor } from '@/db/position-sql';
import { type Filter, NO_VALUE, SET_FIELDS, type SetField, statesOf } from '@/lib/contract/filter';
import type { Role } from '@/lib/dead-letter/vocabulary';

/** A condition of the filter, by the field that makes it. `since` and `until` stand for themselves. */
export type Condition = keyof Filter;

export interface MatchOptions {
  /** Leave these fields' conditions out: a facet counts without its own. */
  without?: readonly Condition[];
}

/** Conditions on the row itself (over `s` and `e` alone); the others can be decided once per (combo, state). */
export const ROW_CONDITIONS = ['reopened', 'since', 'until', 'bbox', 'work_key', 'ids', 'fault', 'run_id'] as const;

/** Whether the filter reads `dlq.entry`: join it as `e` then, and only then. */
export function needsEntry(filter: Filter, options: MatchOptions = {}): boolean {
  return filter.work_key !== undefined && !options.without?.includes('work_key');
}

/**
 * The filter as a boolean SQL expression over the aliases `s` (dlq.state), `c` (dlq.combo) and, when `needsEntry`,
 * `e` (dlq.entry). It is never an error, whatever text the filter holds; it can be null, which means no.
 * A viewer's `bbox` means the public position, and a viewer's `work_key` never finds a sensitive entry.
 */
export function matching(filter: Filter, role: Role, options: MatchOptions = {}): SQL {
  const left = [...conditionsOf(filter, role)].filter(([field]) => !options.without?.includes(field));
  return allOf(left.map(([, condition]) => condition));
}

/** Every condition of the filter by its field; `state` is always there, since leaving it out means unresolved. */
export function conditionsOf(filter: Filter, role: Role): Map<Condition, SQL> {
  const conditions = new Map<Condition, SQL>();
  conditions.set('state', sql`s.state = any(${sql.param([...statesOf(filter)])}::text[])`);
  for (const field of SET_FIELDS) {
    const values = filter[field];
    if (field === 'state' || field === 'source_uri' || !values || values.length === 0) continue;
    const has = field === 'fault' ? hasFault : field === 'run_id' ? inRun(role) : columnIs(COLUMNS[field]);
    conditions.set(field, setCondition(has, values));
  }
  if (filter.mappable !== undefined)
    conditions.set('mappable', sql`(c.unmappable_reason is null) = ${filter.mappable}::boolean`);
  if (filter.sensitive !== undefined) conditions.set('sensitive', sql`c.sensitive = ${filter.sensitive}::boolean`);
  if (filter.reopened !== undefined)
    conditions.set('reopened', sql`(s.reopen_count > 0) = ${filter.reopened}::boolean`);
  if (filter.since !== undefined)
    conditions.set('since', sql`s.failed_at >= ${instantText(filter.since)}::timestamptz`);
  if (filter.until !== undefined) conditions.set('until', sql`s.failed_at < ${instantText(filter.until)}::timestamptz`);
  if (filter.bbox !== undefined) conditions.set('bbox', bboxCondition(positionFor(role), filter.bbox));
  if (filter.work_key !== undefined) conditions.set('work_key', workKeyCondition(filter.work_key, role));
  if (filter.ids !== undefined)
    conditions.set('ids', sql`s.entry_id = any(${sql.param(filter.ids.filter(fitsBigint))}::bigint[])`);
  return conditions;
}

/** Conditions joined by `and`; none at all is true. */
export function allOf(conditions: readonly SQL[]): SQL {
  return conditions.length === 0 ? sql`true` : sql`(${sql.join([...conditions], sql` and `)})`;
}

const COLUMNS: Record<Exclude<SetField, 'state' | 'fault' | 'run_id' | 'source_uri'>, SQL> = {
  queue: sql`c.queue`,
  failure_class: sql`c.failure_class`,
  error_class: sql`c.error_class`,
  task_name: sql`c.task_name`,
  src_crs: sql`c.src_crs`,
  srid: sql`c.srid::text`,
  code_version: sql`c.code_version`,
  signature: sql`c.signature`,
  crs_verdict: sql`c.crs_verdict`,
  unmappable_reason: sql`c.unmappable_reason`,
};

/** Whether an entry has any of the values; true or false, never null: so that `not` of it keeps the entries without one. */
type HasAny = (values: Values) => SQL;
interface Values {
  none: boolean;
  exact: string[];
  prefixes: string[];
}

/** Any of the included values and none of the excluded ones; what has no value has none of the excluded. */
function setCondition(has: HasAny, values: readonly string[]): SQL {
  const included = values.filter((value) => !value.startsWith('!'));
  const excluded = values.filter((value) => value.startsWith('!')).map((value) => value.slice(1));
  const parts: SQL[] = [];
  if (included.length > 0) parts.push(has(valuesOf(included)));
  if (excluded.length > 0) parts.push(sql`not ${has(valuesOf(excluded))}`);
  return allOf(parts);
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

const anyOf = (parts: SQL[]): SQL => (parts.length === 0 ? sql`false` : sql`(${sql.join(parts, sql` or `)})`);

function columnIs(column: SQL): HasAny {
  return ({ none, exact, prefixes }) => {
    const parts: SQL[] = [];
    if (none) parts.push(sql`${column} is null`);
    if (exact.length > 0) parts.push(sql`coalesce(${column} = any(${sql.param(exact)}::text[]), false)`);
    for (const prefix of prefixes) parts.push(sql`coalesce(starts_with(${column}, ${prefix}::text), false)`);
    return anyOf(parts);
  };
}

/** The diagnosis `d` that faults are read from: their indexes hold just these rows. */
export const HAS_FAULTS = sql`d.fault_codes is not null and d.diagnosed_at is not null`;

/** As `exists`, alone in its condition, it becomes a join that either side can lead: a rare code by its own index. */
const hasFault: HasAny = ({ none, exact, prefixes }) => {
  const of_entry = (condition: SQL) =>
    sql`exists (select from dlq.diagnosis d where d.entry_id = s.entry_id and ${HAS_FAULTS}${condition})`;
  const parts: SQL[] = [];
  if (none) parts.push(sql`not ${of_entry(sql``)}`);
  if (exact.length > 0) parts.push(of_entry(sql` and d.fault_codes && ${sql.param(exact)}::text[]`));
  for (const prefix of prefixes)
    parts.push(
      of_entry(sql` and exists (select from unnest(d.fault_codes) code where starts_with(code, ${prefix}::text))`),
    );
  return anyOf(parts);
};

/** To a viewer a sensitive entry has no run: its run_id is masked, and must not be found by trying either. */
function inRun(role: Role): HasAny {
  const shown = role === 'viewer' ? sql` and not r.sensitive` : sql``;
  return ({ none, exact, prefixes }) => {
    const of_entry = (condition: SQL) =>
      sql`exists (select from dlq.entry r where r.id = s.entry_id and ${condition}${shown})`;
    const parts: SQL[] = [];
    if (none) parts.push(sql`not ${of_entry(sql`r.run_id is not null`)}`);
    if (exact.length > 0) parts.push(of_entry(sql`r.run_id = any(${sql.param(exact)}::text[])`));
    for (const prefix of prefixes) parts.push(of_entry(sql`starts_with(r.run_id, ${prefix}::text)`));
    return anyOf(parts);
  };
}

/** A prefix of the key, or the whole key that was given where another one was derived from it (its index is a hash). */
function workKeyCondition(prefix: string, role: Role): SQL {
  if (prefix.includes('\0')) return sql`false`;
  const pattern = `${prefix.replace(/[\\%_]/g, '\\$&')}%`;
  const is_key = sql`(e.work_key like ${pattern}::text or e.idempotency_key = ${prefix}::text)`;
  // else a viewer could spell out a masked key letter by letter
  return role === 'viewer' ? sql`(${is_key} and not e.sensitive)` : is_key;
}

function fitsBigint(id: string): boolean {
  return BigInt(id) <= 9223372036854775807n;
}

/**
 * An ISO 8601 instant as PostgreSQL takes it: in UTC, microseconds kept (a `Date` alone would cut them), what is before
 * year 1 or after 9999 as an infinity. PostgreSQL itself refuses year 0 and offsets of 16 hours and more.
 */
export function instantText(iso: string): string {
  const fraction = /\.(\d+)/.exec(iso)?.[1] ?? '';
  const at = new Date(iso.replace(/\.\d+/, ''));
  const year = at.getUTCFullYear();
  if (year < 1) return '-infinity';
  if (year > 9999) return 'infinity';
  return at.toISOString().replace(/\.\d+Z$/, `.${fraction.slice(0, 6).padEnd(6, '0')}Z`);
}
