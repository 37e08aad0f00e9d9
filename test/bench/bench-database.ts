import path from 'node:path';
import type pg from 'pg';
import { createPool } from '@/db/client';
import { migrate } from '@/db/migrate';
import { provideTestServer, withDatabase } from '@/test/support/test-server';

/**
 * Runs `use` on a migrated, empty database of its own: on the server that DLO_TEST_DATABASE_URL names, else on a
 * throwaway one.
 */
export async function withBenchDatabase<T>(use: (pool: pg.Pool, url: string) => Promise<T>): Promise<T> {
  const server = await provideTestServer();
  const admin = createPool(server.url, { max: 1 });
  const name = `dlo_bench_${process.pid}`;
  try {
    await admin.query(`create database ${name}`);
    const url = withDatabase(server.url, name);
    await migrate({ url, folder: path.join(import.meta.dirname, '../../migrations') });
    const pool = createPool(url);
    try {
      return await use(pool, url);
    } finally {
      await pool.end();
      await admin.query(`drop database ${name} with (force)`);
    }
  } finally {
    await admin.end();
    await server.stop();
  }
}
