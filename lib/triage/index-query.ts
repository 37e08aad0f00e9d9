import { instantText } from '@/db/filter-sql';
import { type Filter, statesOf } from '@/lib/contract/filter';
import type { Role, State } from '@/lib/dead-letter/vocabulary';
import type { Query } from '@/lib/follow/messages';
import type { Instant } from '@/lib/index/answers';
import type { TriageContext } from './triage-context';
import { noIndex } from './with-index';

/** The conditions that SQL alone can answer. */
const SQL_CONDITIONS = ['fault', 'run_id', 'source_uri', 'polygon', 'place', 'work_key', 'q', 'params', 'ids'] as const;

/** Whether the index answers all of the filter. */
export function isOfIndex(filter: Filter): boolean {
  return SQL_CONDITIONS.every((field) => filter[field] === undefined);
}

/** The filter as the index is asked, what SQL alone can answer as a set of ids. For use within `withIndex`. */
export async function indexQuery(ctx: TriageContext, filter: Filter): Promise<Query> {
  if (!isOfIndex(filter)) noIndex();
  return columnQuery(filter, ctx.actor.role);
}

/** The conditions that the index answers by its columns. */
export function columnQuery(filter: Filter, role: Role): Query {
  const { queue, failure_class, error_class, task_name, src_crs, srid, code_version, signature } = filter;
  const { crs_verdict, unmappable_reason, mappable, sensitive, reopened, bbox } = filter;
  return {
    conditions: {
      ...{ queue, failure_class, error_class, task_name, src_crs, srid, code_version, signature },
      ...{ crs_verdict, unmappable_reason, mappable, sensitive, reopened, bbox },
    },
    states: statesOf(filter) as State[],
    since_us: filter.since === undefined ? undefined : asInstant(textOf(filter.since)),
    until_us: filter.until === undefined ? undefined : asInstant(textOf(filter.until)),
    true_positions: role !== 'viewer',
  };
}

/** Microseconds since 1970 or an infinity, from their text, exact. */
export function asInstant(text: string): Instant {
  if (text === 'infinity') return Number.POSITIVE_INFINITY;
  if (text === '-infinity') return Number.NEGATIVE_INFINITY;
  return Number.isSafeInteger(Number(text)) ? Number(text) : BigInt(text);
}

/** An ISO 8601 instant in microseconds since 1970, or an infinity, as PostgreSQL reads it. */
function textOf(iso: string): string {
  const text = instantText(iso);
  if (text.endsWith('infinity')) return text;
  return `${BigInt(Date.parse(`${text.slice(0, 23)}Z`)) * 1000n + BigInt(text.slice(23, 26))}`;
}
