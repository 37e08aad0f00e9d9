import { randomBytes } from 'node:crypto';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createDb, createPool } from '@/db/client';
import { migrate } from '@/db/migrate';
import { withDatabase } from '@/test/support/test-server';
import { storeBy } from '../seed-clients/store';
import { attachOnly, takeIn } from './attached';

const name = `dlo_test_existing_${randomBytes(6).toString('hex')}`;
const url = withDatabase(inject('test_server_url'), name);
const folder = path.join(import.meta.dirname, '../../../migrations');

async function onServer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: inject('test_server_url') });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

let pool: pg.Pool;
beforeAll(async () => {
  await onServer(`create database ${name}`);
  pool = createPool(url);
  // as the first document writes it
  await pool.query(`
    CREATE EXTENSION postgis;
    CREATE TABLE geotask_dlq (
      work_key text PRIMARY KEY, task_name text NOT NULL, geom geometry, src_crs text, tile_z smallint, tile_x integer, tile_y integer,
      params jsonb NOT NULL, failure_class text NOT NULL, error_text text, traceback text, attempts integer NOT NULL DEFAULT 1,
      failed_at timestamptz NOT NULL, redriven_at timestamptz, resolved_at timestamptz
    );
    CREATE INDEX geotask_dlq_open ON geotask_dlq (failure_class, failed_at) WHERE resolved_at IS NULL;`);
});
afterAll(async () => {
  await pool?.end();
  await onServer(`drop database if exists ${name} with (force)`);
});

test('a database that has the document’s table already says what to do, and its failures go on as one entry each', async () => {
  const work = {
    work_key: 'parcel',
    task_name: 'reproject',
    wkt: 'POINT (10 50)',
    srid: 4326,
    src_crs: 'EPSG:4326',
    params: { a: 1 },
  };
  expect(await storeBy(url, 'geotask_dlq', [work, work, work])).toEqual({ stored: 3, errors: [] });
  const refused = await migrate({ url, folder }).then(
    () => '',
    (error: Error) => error.message,
  );
  const [, statements] =
    /Run: (.*); then migrate again, and take its rows in with: dlo attach team\.geotask_dlq/.exec(refused) ?? [];
  await pool.query(statements ?? refused);
  await migrate({ url, folder });
  const db = createDb(pool);
  expect(await takeIn(db, await attachOnly(db, 'team.geotask_dlq'), 'team.geotask_dlq')).toMatchObject({
    rows: '1',
    with_entry: '1',
    missing: '0',
  });
  expect(await storeBy(url, 'geotask_dlq', [work])).toEqual({ stored: 1, errors: [] });
  const { rows } = await pool.query('select work_key, attempts, via from dlq.entry');
  expect(rows).toEqual([{ work_key: 'parcel', attempts: 4, via: 'team.geotask_dlq' }]);
});
