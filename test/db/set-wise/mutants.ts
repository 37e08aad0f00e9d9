import type pg from 'pg';

/** A mistake that somebody could make in the merge: `from` becomes `to` in the function. */
export interface Mutant {
  mistake: string;
  routine: 'dlq.fold' | 'dlq.capture_many';
  from: string;
  to: string;
}

export const MERGE_MUTANTS: Mutant[] = [
  {
    mistake: 'takes the last line for the newest',
    routine: 'dlq.fold',
    from: 'w.is_newest desc, w.n desc',
    to: 'w.n desc',
  },
  {
    mistake: 'believes a clock that is years ahead',
    routine: 'dlq.fold',
    from: 'dlq.believed(p.failed_at) as believed',
    to: 'p.failed_at as believed',
  },
  {
    mistake: 'does not look for a capture_id twice in a chunk',
    routine: 'dlq.capture_many',
    from: 'x.nth > 1 or exists',
    to: 'exists',
  },
  {
    mistake: 'counts for an entry in flight as for an open one',
    routine: 'dlq.capture_many',
    from: "s.state in ('open', 'quarantined')",
    to: 'true',
  },
];

/** Replaces a function of a database by its mutant; the answer says whether there was anything to replace. */
export async function mutateMerge(pool: pg.Pool, { routine, from, to }: Mutant): Promise<boolean> {
  const { rows } = await pool.query<{ source: string }>('select pg_get_functiondef($1::regproc) as source', [routine]);
  const source = rows[0]?.source ?? '';
  const mutated = source.replace(from, to);
  await pool.query(mutated);
  return mutated !== source;
}
