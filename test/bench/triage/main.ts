import pg from 'pg';
import { createDb, createPool } from '@/db/client';
import { stopTriageIndex } from '@/lib/follow/triage-index';
import { generateEntries } from '@/test/bench/generate/entries';
import type { Row } from '../row';
import { answerTo, benchAnswers, timesInSql } from './answers';
import { benchChanges } from './changes';
import { FILTERS } from './filters';
import { benchLists } from './lists';
import { openMapServer } from './mapserver';
import { benchSearch } from './search';
import { benchStart } from './start';
import { benchTiles, tileCases } from './tiles';

/** The answers whose memory and times are also taken where code versions are git commits. */
const COMMITS_FILTERS = ['none', 'one class', 'several and 30 days', '30 days'];

export interface TriageBench {
  /** Entries that the database holds or is to be filled with. */
  count: number;
  /** Whether it has been filled by `generateEntries` already. */
  filled?: boolean;
}

/**
 * The triage page's answers, tiles, lists and searches over generated entries, by the index, each beside what the same
 * takes without it in the same run: this product's own SQL for the same answer, ST_AsMVT over the tables, MapServer.
 */
export async function benchTriage(url: string, { count, filled = false }: TriageBench): Promise<Row[]> {
  const patient = new pg.Pool({
    connectionString: url,
    max: 4,
    options: '-c max_parallel_workers_per_gather=0 -c jit=off',
  });
  const pool = createPool(url);
  const mapserver = openMapServer(url);
  try {
    if (!filled)
      await generateEntries(patient, count, {
        progress: (done) => done % 1_000_000 === 0 && console.log(`generated ${done}`),
      });
    const actor = { name: 'bench', role: 'operator' as const };
    const in_sql = { db: createDb(patient), actor };
    const ctx = { db: createDb(pool), actor };
    const sql_ms = await timesInSql(in_sql, FILTERS);
    const tiles = await tileCases(in_sql, mapserver);
    const { index, rows } = await benchStart(url, count);
    await answerTo(ctx, {});
    rows.push(...(await benchAnswers(ctx, FILTERS, sql_ms)));
    rows.push(...(await benchTiles(ctx, tiles)));
    rows.push(...(await benchLists(ctx, in_sql.db, count)));
    rows.push(...(await benchSearch(ctx, in_sql.db)));
    rows.push(...(await benchChanges(ctx, ctx.db, index, count)));
    return rows;
  } finally {
    mapserver?.close();
    await stopTriageIndex();
    await Promise.all([pool.end(), patient.end()]);
  }
}

/** A queue with 200,000 distinct code versions: what the index takes then. */
export async function benchCommits(url: string, count: number): Promise<Row[]> {
  const pool = createPool(url);
  try {
    await generateEntries(pool, count, { commits: 200_000 });
    const ctx = { db: createDb(pool), actor: { name: 'bench', role: 'operator' as const } };
    const { rows } = await benchStart(url, count);
    const filters = Object.fromEntries(Object.entries(FILTERS).filter(([name]) => COMMITS_FILTERS.includes(name)));
    return [...rows, ...(await benchAnswers(ctx, filters, new Map()))].map((row) => ({
      ...row,
      name: `200,000 commits: ${row.name}`,
    }));
  } finally {
    await stopTriageIndex();
    await pool.end();
  }
}
