import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { migrate } from '@/db/migrate';
import { checkPostgisVersion } from '@/db/server-requirements';
import { cloneDatabase, type TestDatabase } from '@/test/support/database';
import { withDatabase } from '@/test/support/test-server';

let database: TestDatabase;
let folder: string;

beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database.drop());

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'dlo-migrations-'));
  await database.pool.query('drop table if exists public.dlq_migrations');
  await database.pool.query('drop schema if exists t cascade');
  await database.pool.query('create schema t');
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (name: string, sql: string) => writeFileSync(join(folder, name), sql);
const run = () => migrate({ url: database.url, folder });
const tables = async () => {
  const { rows } = await database.pool.query(
    `select table_name from information_schema.tables where table_schema = 't' order by 1`,
  );
  return rows.map((row) => row.table_name);
};

test('files are applied in order, once, and written to the ledger', async () => {
  write('0002_second.sql', 'alter table t.first add column more int');
  write('0001_first.sql', 'create table t.first ()');
  expect(await run()).toEqual({ applied: ['0001_first.sql', '0002_second.sql'] });
  expect(await run()).toEqual({ applied: [] });
  const { rows } = await database.pool.query(
    'select name, length(sha256) as length from public.dlq_migrations order by name',
  );
  expect(rows).toEqual([
    { name: '0001_first.sql', length: 64 },
    { name: '0002_second.sql', length: 64 },
  ]);
});

test('concurrent calls apply every file once', async () => {
  write('0001_slow.sql', 'create table t.slow (); select pg_sleep(0.3)');
  write('0002_next.sql', 'create table t.next ()');
  const results = await Promise.all([run(), run(), run(), run()]);
  expect(results.flatMap(({ applied }) => applied).sort()).toEqual(['0001_slow.sql', '0002_next.sql']);
});

test('a file that fails leaves nothing of itself, keeps those before it, and is named with its line', async () => {
  write('0001_good.sql', 'create table t.good ()');
  write('0002_bad.sql', 'create table t.bad ();\nselect\n  no_such_function()');
  await expect(run()).rejects.toThrow(/^0002_bad\.sql, line 3: function no_such_function\(\) does not exist \(42883\)/);
  expect(await tables()).toEqual(['good']);
  write('0002_bad.sql', 'create table t.mended ()');
  expect(await run()).toEqual({ applied: ['0002_bad.sql'] });
});

test('a file changed after it was applied is refused by name', async () => {
  write('0001_first.sql', 'create table t.first ()');
  await run();
  write('0001_first.sql', 'create table t.first (id int)');
  await expect(run()).rejects.toThrow(/^0001_first\.sql was changed after it was applied/);
});

test('a new file before an applied one is refused by name', async () => {
  write('0002_second.sql', 'select 1');
  await run();
  write('0001_late.sql', 'create table t.late ()');
  await expect(run()).rejects.toThrow(/^0001_late\.sql comes before 0002_second\.sql/);
  expect(await tables()).toEqual([]);
});

test('a database that is newer than the files is refused', async () => {
  write('0001_first.sql', 'select 1');
  write('0002_second.sql', 'select 1');
  await run();
  rmSync(join(folder, '0002_second.sql'));
  await expect(run()).rejects.toThrow(/has migration 0002_second\.sql, which this version does not know/);
});

test.each([
  [['0001_a.sql', '0001_b.sql'], /same number/],
  [['first.sql'], /^first\.sql: a migration is named/],
])('names without a place in the order are refused: %j', async (names, message) => {
  for (const name of names) write(name, 'select 1');
  await expect(run()).rejects.toThrow(message);
});

test('a role that may not create the extension is told the statement to run', async () => {
  const name = `dlo_plain_${process.pid}`;
  await database.pool.query(`create role ${name} login password 'plain'`);
  await database.pool.query(`create database ${name} owner ${name}`);
  try {
    const url = new URL(withDatabase(inject('test_server_url'), name));
    url.username = name;
    url.password = 'plain';
    await expect(migrate({ url: url.href, folder })).rejects.toThrow(
      new RegExp(
        `role "${name}" may not create the extension PostGIS.*database "${name}":\\n  create extension postgis;`,
      ),
    );
  } finally {
    await database.pool.query(`drop database ${name} with (force)`);
    await database.pool.query(`drop role ${name}`);
  }
});

test('a server that cannot be reached is said to be that', async () => {
  await expect(migrate({ url: 'postgres://x@127.0.0.1:1/x', folder })).rejects.toThrow(
    /^The database cannot be reached: .*ECONNREFUSED/,
  );
});

test('an old PostGIS is refused with its version', () => {
  expect(() => checkPostgisVersion('3.2.1')).toThrow(/3\.3 or later is needed; this database has 3\.2\.1/);
  expect(() => checkPostgisVersion('3.3.2')).not.toThrow();
  expect(() => checkPostgisVersion('4.0.0')).not.toThrow();
});
