import { type SQL, sql } from 'drizzle-orm';
import type { Db, Tx } from '@/db/client';
import { bboxCondition, positionFor } from '@/db/position-sql';
import { type Role, UNRESOLVED_STATES } from '@/lib/dead-letter/vocabulary';

/** What an unresolved entry must have. Plain comparisons, unlike a filter's: indexes find them. */
export type Likeness =
  | { signature: string }
  | { task_name: string; src_crs: string | null }
  | { task_name: string; code_version: string | null }
  | { crs_verdict: string }
  | { bbox: readonly [number, number, number, number] };

/** How many unresolved entries have each likeness, in their order; counting stops at `limit`. */
export async function countSimilar(
  db: Db | Tx,
  likenesses: readonly Likeness[],
  role: Role,
  limit: number,
): Promise<number[]> {
  const counts = likenesses.map(
    (likeness) => sql`(select count(*)::integer from (
      select from dlq.state s ${likeOf(likeness, role)}
        and s.state = any(${sql.param([...UNRESOLVED_STATES])}::text[])
      limit ${limit}::integer) x)`,
  );
  const { rows } = await db.execute<{ counts: number[] }>(
    sql`select json_build_array(${sql.join(counts, sql`, `)}) as counts`,
  );
  return rows[0]?.counts ?? [];
}

const OF_ENTRY = sql`join dlq.entry e on e.id = s.entry_id`;
const OF_COMBO = sql`join dlq.combo c on c.id = s.combo`;

/** By what the entry itself says where that is indexed; the claim and the verdict stand in the dictionary alone. */
function likeOf(likeness: Likeness, role: Role): SQL {
  if ('signature' in likeness) return sql`${OF_ENTRY} where e.signature = ${likeness.signature}::text`;
  if ('crs_verdict' in likeness) return sql`${OF_COMBO} where c.crs_verdict = ${likeness.crs_verdict}::text`;
  if ('bbox' in likeness) return sql`where ${bboxCondition(positionFor(role), likeness.bbox)}`;
  if ('src_crs' in likeness)
    return sql`${OF_COMBO} where c.task_name = ${likeness.task_name}::text and ${equals(sql`c.src_crs`, likeness.src_crs)}`;
  return sql`${OF_ENTRY} where e.task_name = ${likeness.task_name}::text and ${equals(sql`e.code_version`, likeness.code_version)}`;
}

const equals = (column: SQL, value: string | null): SQL =>
  value === null ? sql`${column} is null` : sql`${column} = ${value}::text`;
