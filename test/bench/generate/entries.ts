import type pg from 'pg';
import { fill, incidents } from './statements';

/** A chunk is one transaction; two run side by side. */
const CHUNK_ROWS = 100_000;
const SIDE_BY_SIDE = 2;
const TABLES = ['entry', 'payload', 'occurrence', 'diagnosis', 'state', 'event', 'combo'];

export interface GenerateOptions {
  /** Whole number; the same seed gives the same rows, whatever the size of a chunk. */
  seed?: number;
  /** So many distinct code versions, as git commits, instead of thirteen. */
  commits?: number;
  /** Called after each chunk. */
  progress?: (done: number) => void;
}

/**
 * Fills an empty, migrated database with `count` entries of a plausible queue: thirty tasks, thirteen code versions over
 * 90 days, sixteen claims, six verdicts, thousands of signatures; seven in ten fall into 4,000 incidents (one error at one place within
 * two days), one in ten has no footprint, one in three is resolved. Attempts equal occurrences. Needs a superuser: it
 * goes around triggers and foreign keys, and makes the indexes last. Without the feed: readers start from a snapshot.
 */
export async function generateEntries(pool: pg.Pool, count: number, options: GenerateOptions = {}): Promise<void> {
  const incident_count = Math.max(1, Math.min(4000, Math.ceil(count / 250)));
  const indexes = await dropIndexes(pool);
  const session: Session = { seed: options.seed ?? 42, commits: options.commits ?? 0 };
  await withSession(pool, session, (client) => client.query(incidents(incident_count)));
  let next = 1;
  let done = 0;
  async function work(client: pg.PoolClient): Promise<void> {
    while (next <= count) {
      const chunk = { first: next, last: Math.min(count, next + CHUNK_ROWS - 1) };
      next = chunk.last + 1;
      await client.query('begin');
      for (const statement of fill(chunk)) await client.query(statement);
      await client.query('commit');
      done += chunk.last - chunk.first + 1;
      options.progress?.(done);
    }
  }
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, () => withSession(pool, session, work)));
  await pool.query('drop table bench_incident');
  await pool.query(`select setval('dlq.entry_id', $1::bigint)`, [count]);
  const waiting = [...indexes];
  const build = async (client: pg.PoolClient) => {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) await client.query(one);
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, () => withSession(pool, session, build)));
  for (const table of TABLES)
    await withSession(pool, session, (client) => client.query(`vacuum (analyze, parallel 0) dlq.${table}`));
}

/** Drops the indexes that no constraint needs, and answers the statements that make them again. */
async function dropIndexes(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string; definition: string }>(
    `select c.relname as name, pg_get_indexdef(i.indexrelid) as definition
     from pg_index i join pg_class c on c.oid = i.indexrelid
     where c.relnamespace = 'dlq'::regnamespace and i.indrelid = any (select format('dlq.%I', t)::regclass from unnest($1::text[]) t)
       and not exists (select 1 from pg_constraint k where k.conindid = i.indexrelid)
     order by pg_relation_size(i.indrelid) desc, name`,
    [TABLES],
  );
  for (const { name } of rows) await pool.query(`drop index dlq.${name}`);
  return rows.map(({ definition }) => definition);
}

interface Session {
  seed: number;
  commits: number;
}

async function withSession<T>(
  pool: pg.Pool,
  { seed, commits }: Session,
  use: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query(`set statement_timeout = 0`);
    await client.query(`set session_replication_role = replica`);
    await client.query(`set maintenance_work_mem = '512MB'`);
    await client.query(`set work_mem = '128MB'`);
    await client.query(`set synchronous_commit = off`);
    await client.query(`select set_config('bench.seed', $1::text, false)`, [String(seed * 1000)]);
    await client.query(`select set_config('bench.commits', $1::text, false)`, [String(commits)]);
    return await use(client);
  } finally {
    // A connection with these settings is no one else's.
    client.release(true);
  }
}
