import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import type { Db } from '@/db/client';

/** A mistake that somebody could make in a statement: `from` becomes `to` in every text that is sent. */
export interface Mutant {
  mistake: string;
  from: string;
  to: string;
}

export const STATEMENT_MUTANTS: Mutant[] = [
  {
    mistake: 'a claim that does not look at the version',
    from: "where s.version = w.version\n        and (s.state = 'open' or",
    to: "where (s.state = 'open' or",
  },
  {
    mistake: 'an intent that ignores a wish to abandon',
    from: 'and not s.cancel_requested\n        and s.redrive_attempts < s.max_redrives\n        and r.sent_at is null',
    to: 'and s.redrive_attempts < s.max_redrives\n        and r.sent_at is null',
  },
  {
    mistake: 'a sweep that takes an expired lease for “not sent”',
    from: 'r.sent_at is null) = $2::boolean',
    to: 'r.sent_at is null) is not null and $2::boolean',
  },
  {
    mistake: 'a settlement that is not fenced by the attempt',
    from: 'where s.attempt_id = w.attempt_id\n        and (r.sent_at',
    to: 'where s.attempt_id is not null\n        and (r.sent_at',
  },
];

export const CAPTURE_MUTANTS: Mutant[] = [
  {
    mistake: 'a capture that lets an abandoned entry come back with the same payload and code',
    from: 'and o.payload_hash = r.payload_hash and o.code_version is not distinct from r.code_version',
    to: 'and false',
  },
  {
    mistake: 'a capture that takes an old failure, loaded late, for the failure of the redrive',
    from: "t.sent_at < r.failed_at + interval '1 minute'",
    to: 't.sent_at is not null',
  },
];

/** A database whose statements carry the mutant, over one connection; `applied` counts the texts that it changed. */
export async function mutatedDb(
  url: string,
  mutant: Mutant,
): Promise<{ db: Db; applied: () => number; end: () => Promise<void> }> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  let applied = 0;
  const send = client.query.bind(client) as (config: pg.QueryConfig, values?: unknown[]) => Promise<pg.QueryResult>;
  const query = (config: pg.QueryConfig, values?: unknown[]) => {
    const text = config.text.replace(mutant.from, mutant.to);
    if (text !== config.text) applied += 1;
    return send({ ...config, text }, values);
  };
  const db: Db = drizzle({ client: Object.assign(client, { query }) as pg.Client });
  return { db, applied: () => applied, end: () => client.end() };
}

/** Replaces dlq.capture() of a database by its mutant; the answer says whether there was anything to replace. */
export async function mutateCapture(pool: pg.Pool, mutant: Mutant): Promise<boolean> {
  const { rows } = await pool.query<{ source: string }>("select pg_get_functiondef('dlq.capture'::regproc) as source");
  const source = rows[0]?.source ?? '';
  const mutated = source.replace(mutant.from, mutant.to);
  await pool.query(mutated);
  return mutated !== source;
}
