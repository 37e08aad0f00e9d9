import { instantText } from '@/db/conditions/instant-text';
import { SQL_CONDITIONS } from '@/db/filter-sql';
import { idsMatching, needsIds } from '@/db/queries/ids-matching';
import { isGivenUp } from '@/db/until-given-up';
import { type Filter, statesOf } from '@/lib/contract/filter';
import type { Role, State } from '@/lib/dead-letter/vocabulary';
import type { Query } from '@/lib/follow/messages';
import type { TriageIndexThread } from '@/lib/follow/triage-index';
import type { Instant } from '@/lib/index/answers';
import type { TriageContext } from './triage-context';
import { there } from './with-index';

/** A filter as the index is asked. `capped`: SQL has found more entries than it took, so that every count means “at least”. */
export interface IndexQuestion {
  query: Query;
  capped: boolean;
}

/** The filter as the index is asked; what SQL alone can answer is a set of ids. For use within `withIndex`. */
export async function indexQuestion(
  ctx: TriageContext,
  index: TriageIndexThread,
  filter: Filter,
): Promise<IndexQuestion> {
  const query = columnQuery(filter, ctx.actor.role);
  if (!needsIds(filter)) return { query, capped: false };
  const { ids, capped } = await foundBySql(ctx, index, filter);
  return { query: { ...query, entry_ids: ids }, capped };
}

/**
 * As long as nothing has changed, the same set: a page and each tile of its map ask for it. Where the one who had it looked
 * for has gone, the next one has it looked for again.
 */
async function foundBySql({ db, actor }: TriageContext, index: TriageIndexThread, filter: Filter) {
  const { revision } = there(await index.ask('revision', {}));
  const asked = SQL_CONDITIONS.map((field) => filter[field] ?? null);
  for (let is_mine = false; ; ) {
    const looked = index.found.get(JSON.stringify([revision, actor.role, asked]), async () => {
      is_mine = true;
      const found = await idsMatching(db, filter, actor.role);
      return { ...found, size: found.ids.length };
    });
    try {
      return await looked;
    } catch (error) {
      if (is_mine || !isGivenUp(error)) throw error;
    }
  }
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
