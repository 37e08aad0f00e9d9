import { type SQL, sql } from 'drizzle-orm';
import { entriesInPlaces, entriesInPolygon } from '@/db/conditions/area';
import { hasFault } from '@/db/conditions/fault';
import { instantText } from '@/db/conditions/instant-text';
import { type EntrySet, isIn } from '@/db/conditions/of-entry';
import { entriesWithParams } from '@/db/conditions/params';
import { inRun } from '@/db/conditions/run';
import { allOf, columnIs, setCondition } from '@/db/conditions/set-values';
import { entriesWithSource } from '@/db/conditions/source-uri';
import { entriesWithWords } from '@/db/conditions/words';
import { workKeyCondition } from '@/db/conditions/work-key';
import { bboxCondition, positionFor } from '@/db/position-sql';
import { type Filter, SET_FIELDS, type SetField, statesOf } from '@/lib/contract/filter';
import type { Role } from '@/lib/dead-letter/vocabulary';

export { HAS_FAULTS } from '@/db/conditions/fault';
export { instantText } from '@/db/conditions/instant-text';
export { allOf } from '@/db/conditions/set-values';

/** A condition of the filter, by the field that makes it. `since` and `until` stand for themselves. */
export type Condition = keyof Filter;

export interface MatchOptions {
  /** Leave these fields' conditions out: a facet counts without its own. */
  without?: readonly Condition[];
}

/** Conditions that only SQL answers: on what lies outside `dlq.state` and `dlq.combo`, or names entries. */
export const SQL_CONDITIONS = [
  'fault',
  'run_id',
  'source_uri',
  'polygon',
  'place',
  'work_key',
  'q',
  'params',
  'ids',
] as const satisfies readonly Condition[];

/** Conditions on the row itself (over `s` and `e` alone); the others can be decided once per (combo, state). */
export const ROW_CONDITIONS = ['reopened', 'since', 'until', 'bbox', ...SQL_CONDITIONS] as const;

/** Whether the filter reads `dlq.entry`: join it as `e` then, and only then. */
export function needsEntry(filter: Filter, options: MatchOptions = {}): boolean {
  return filter.work_key !== undefined && !options.without?.includes('work_key');
}

/**
 * The filter as a boolean SQL expression over the aliases `s` (dlq.state), `c` (dlq.combo) and, when `needsEntry`,
 * `e` (dlq.entry). It is never an error in SQL, whatever text the filter holds; it can be null, which means no.
 * A viewer's `bbox` means the public position; a viewer's conditions on what is masked never find a sensitive entry.
 * @throws FilterError for a `place` that is not known.
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
    conditions.set(field, valuesCondition(field, values, role));
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
  for (const [field, set] of entrySetsOf(filter, role)) conditions.set(field, isIn(set));
  return conditions;
}

/**
 * The conditions that are asked as sets of entries, each a select of `entry_id`: an index of its own leads to each.
 * @throws FilterError for a `place` that is not known.
 */
export function entrySetsOf(filter: Filter, role: Role): Map<Condition, EntrySet> {
  const sets = new Map<Condition, EntrySet>();
  const alone = SQL_CONDITIONS.filter((field) => filter[field] !== undefined).length === 1;
  if (filter.source_uri && filter.source_uri.length > 0)
    sets.set('source_uri', entriesWithSource(filter.source_uri, role));
  if (filter.polygon !== undefined) sets.set('polygon', entriesInPolygon(filter.polygon, { role, alone }));
  if (filter.place !== undefined) sets.set('place', entriesInPlaces(filter.place, { role, alone }));
  if (filter.q !== undefined) sets.set('q', entriesWithWords(filter.q, role));
  if (filter.params !== undefined) sets.set('params', entriesWithParams(filter.params, role));
  return sets;
}

function valuesCondition(field: Exclude<SetField, 'state' | 'source_uri'>, values: readonly string[], role: Role): SQL {
  if (field === 'fault') return setCondition(hasFault, values);
  if (field === 'run_id') return setCondition(inRun(role), values);
  return setCondition(columnIs(COLUMNS[field]), values);
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

function fitsBigint(id: string): boolean {
  return BigInt(id) <= 9223372036854775807n;
}
