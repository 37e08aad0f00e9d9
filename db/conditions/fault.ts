import { type SQL, sql } from 'drizzle-orm';
import { anyOf, type HasAny } from './set-values';

/** The diagnosis `d` that faults are read from: their indexes hold just these rows. */
export const HAS_FAULTS = sql`d.fault_codes is not null and d.diagnosed_at is not null`;

/** As `exists`, alone in its condition, it becomes a join that either side can lead: a rare code by its own index. */
export const hasFault: HasAny = ({ none, exact, prefixes }) => {
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
