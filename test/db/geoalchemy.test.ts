import { spawn, spawnSync } from 'node:child_process';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { followIntoTables } from '@/lib/ingest/write-back';
import { cloneDatabase, type TestDatabase } from '../support/database';
import { attachOnly, takeIn } from './attach/attached';

let database: TestDatabase;
beforeAll(async () => {
  database = await cloneDatabase();
  await database.pool.query(
    `create schema team;
     create table team.dead_letters (like public.geotask_dlq including defaults including indexes);
     insert into team.dead_letters (work_key, task_name, geom, params, failure_class, failed_at)
       values ('from before', 'reproject', ST_SetSRID(ST_MakePoint(1, 1), 4326), '{}', 'oom', '2026-11-01T00:00:00Z')`,
  );
});
afterAll(() => database?.drop());

const works = [
  {
    work_key: 'a',
    task_name: 'reproject',
    wkt: 'POINT (10 50)',
    srid: 4326,
    src_crs: 'EPSG:4326',
    params: { snap: 0.1 },
    error_text: 'first',
  },
  {
    work_key: 'b',
    task_name: 'clip',
    wkt: 'POLYGON ((0 0, 2 2, 2 0, 0 2, 0 0))',
    srid: 25832,
    src_crs: 'EPSG:25832',
    params: {},
    error_text: 'first',
  },
];

/** Runs the models' program; answers what it read back. */
function writeByModels(schema: string, table: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const program = path.join(import.meta.dirname, 'seed-clients/orm.py');
    const child = spawn('/usr/bin/python3', [program, database.url, schema, table]);
    let output = '';
    let errors = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (errors += chunk));
    child.on('error', reject);
    child.on('close', (code) => (code === 0 ? resolve(JSON.parse(output)) : reject(new Error(errors))));
    child.stdin.end(works.map((work) => JSON.stringify(work)).join('\n'));
  });
}

const entries = async (via: string) =>
  (
    await database.pool.query(
      `select e.work_key, e.task_name, e.attempts, e.error_text, s.state, p.params, ST_AsEWKT(p.geom) as shape
       from dlq.entry e join dlq.state s on s.entry_id = e.id join dlq.payload p on p.entry_id = e.id and p.payload_hash = e.payload_hash
       where e.via = $1 and e.idempotency_key in ('a', 'b') order by e.idempotency_key`,
      [via],
    )
  ).rows;

const expected = [
  {
    task_name: 'reproject',
    attempts: 2,
    error_text: 'again',
    state: 'resolved',
    params: { snap: 0.1 },
    shape: 'SRID=4326;POINT(10 50)',
  },
  {
    task_name: 'clip',
    attempts: 2,
    error_text: 'again',
    state: 'open',
    params: {},
    shape: 'SRID=25832;POLYGON((0 0,2 2,2 0,0 2,0 0))',
  },
];
const readBack = {
  a: { attempts: 2, wkt: 'POINT (10 50)', srid: 4326 },
  b: { attempts: 2, wkt: 'POLYGON ((0 0, 2 2, 2 0, 0 2, 0 0))', srid: 25832 },
};

describe('SQLAlchemy models with GeoAlchemy2', () => {
  test('write through an attached table, which ogrinfo opens as before', async () => {
    const id = await attachOnly(database.db, 'team.dead_letters');
    expect(await writeByModels('team', 'dead_letters')).toEqual(readBack);
    expect(await entries('team.dead_letters')).toMatchObject(expected);
    expect(await takeIn(database.db, id, 'team.dead_letters')).toMatchObject({
      rows: '3',
      with_entry: '3',
      missing: '0',
    });
    expect(await entries('team.dead_letters')).toMatchObject(expected);
    const url = database.url.replace(/^postgres:/, 'postgresql:');
    const { status, stdout, stderr } = spawnSync('/usr/bin/ogrinfo', ['-so', url, 'team.dead_letters'], {
      encoding: 'utf8',
    });
    expect(status, stderr).toBe(0);
    expect(stdout).toContain('Layer name: team.dead_letters');
    expect(stdout).toContain('Feature Count: 3');
  });

  test('write through the first document’s table; its key belongs to the entry that had it first', async () => {
    expect(await writeByModels('public', 'geotask_dlq')).toEqual(readBack);
    expect(await followIntoTables(database.db)).toBe(1);
    // the same tasks failed on the same units: the entries of the attached table, reopened and counted on
    expect(await entries('team.dead_letters')).toMatchObject(expected.map((entry) => ({ ...entry, attempts: 4 })));
  });
});
