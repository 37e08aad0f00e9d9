import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { inject } from 'vitest';
import { createDb, createPool, type Db } from '@/db/client';
import { withDatabase } from '@/test/support/test-server';

/** A migrated, empty database of one test file. `drop` ends the pool and removes it. */
export type TestDatabase = { url: string; pool: pg.Pool; db: Db; drop: () => Promise<void> };

/** The template is being copied or still has a session that is ending. */
const objectInUse = '55006';

async function createFrom(template: string, name: string, client: pg.Client): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await client.query(`create database ${name} template ${template}`);
      return;
    } catch (error) {
      if (!(error instanceof pg.DatabaseError) || error.code !== objectInUse || tries === 60) throw error;
      await wait(100);
    }
  }
}

/** Clones the template into a database of its own; safe in files that run side by side. */
export async function cloneDatabase(): Promise<TestDatabase> {
  const serverUrl = inject('test_server_url');
  const name = `dlo_test_${process.pid}_${randomBytes(6).toString('hex')}`;
  const admin = async (work: (client: pg.Client) => Promise<unknown>) => {
    const client = new pg.Client({ connectionString: serverUrl });
    await client.connect();
    try {
      await work(client);
    } finally {
      await client.end();
    }
  };
  await admin((client) => createFrom(inject('template_database'), name, client));
  const url = withDatabase(serverUrl, name);
  const pool = createPool(url, { application_name: 'dlo test' });
  const drop = async () => {
    await pool.end();
    await admin((client) => client.query(`drop database if exists ${name} with (force)`));
  };
  return { url, pool, db: createDb(pool), drop };
}
