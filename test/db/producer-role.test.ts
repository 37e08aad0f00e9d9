import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeProducerRole, planProducerRole } from '@/lib/attach/producer-role';
import { scramVerifier } from '@/lib/attach/scram-verifier';
import { cloneDatabase, type TestDatabase } from '../support/database';
import { storeBy } from './seed-clients/store';

/** Roles are the whole server's: names of their own for each run. */
const suffix = randomBytes(4).toString('hex');
const PRODUCER = `Producer "${suffix}"`;
const OTHER = `other_${suffix}`;
const password = randomBytes(12).toString('hex');

let database: TestDatabase;
let producer: pg.Client;
let url: string;

const asRole = (name: string, secret: string) => {
  const address = new URL(database.url);
  address.username = encodeURIComponent(name);
  address.password = secret;
  return address.href;
};
const plan = {
  login: true,
  verifier: scramVerifier(password),
  queue: 'tiles',
  task_name: 'clip_features',
  compat: true,
};
const admin = async (text: string, values: unknown[] = []) => (await database.pool.query(text, values)).rows;

beforeAll(async () => {
  database = await cloneDatabase();
  await makeProducerRole(database.db, { role_name: PRODUCER, ...plan });
  await makeProducerRole(database.db, { ...plan, role_name: OTHER, queue: 'other', task_name: null, compat: false });
  url = asRole(PRODUCER, password);
  producer = new pg.Client({ connectionString: url });
  await producer.connect();
});
afterAll(async () => {
  await producer?.end();
  if (!database) return;
  for (const role of [PRODUCER, OTHER]) {
    const name = pg.escapeIdentifier(role);
    await admin(`drop owned by ${name}`);
    await admin(`drop role ${name}`);
  }
  await database.drop();
});

const first = {
  work_key: 'mine',
  task_name: 'reproject',
  wkt: 'POINT (10 50)',
  srid: 4326,
  src_crs: 'EPSG:4326',
  params: { a: 1 },
};
const second = { task_id: 'mine', wkt: 'POINT (1 2)', epsg: 4326, payload: {}, error: 'failed' };
const unclosed =
  '01030000000100000003000000000000000000000000000000000000000000000000000040000000000000004000000000000000400000000000000000';

describe('a producer’s role', () => {
  test('runs both documents’ statements, upserts and what PostGIS refuses among them', async () => {
    expect(
      await storeBy(url, 'geotask_dlq', [first, first, { ...first, work_key: 'refused', wkb_hex: unclosed }]),
    ).toEqual({ stored: 3, errors: [] });
    expect(await storeBy(url, 'failed_geotasks', [second, second])).toEqual({ stored: 2, errors: [] });
    expect(
      await admin('select work_key, queue, task_name, attempts from dlq.entry where task_id is null order by id'),
    ).toEqual([
      { work_key: 'mine', queue: 'tiles', task_name: 'reproject', attempts: 2 },
      { work_key: 'refused', queue: 'tiles', task_name: 'reproject', attempts: 1 },
    ]);
    expect(await admin('select queue, task_name, attempts from dlq.entry where task_id is not null')).toEqual([
      { queue: 'tiles', task_name: 'clip_features', attempts: 2 },
    ]);
  });

  test('keeps its queue and task name whatever its session sets', async () => {
    await producer.query("set dlq.queue = 'other'");
    await producer.query("set dlq.task_name = 'somebody else'");
    await producer.query(
      "insert into failed_geotasks (task_id, epsg, payload, error, geom_hash) values ('spoof', 4326, '{}', 'failed', 'h')",
    );
    expect(await admin("select queue, task_name from dlq.entry where task_id = 'spoof'")).toEqual([
      { queue: 'tiles', task_name: 'clip_features' },
    ]);
  });

  test.each([
    ['select * from dlq.entry', 'schema dlq'],
    ['select * from dlq.payload', 'schema dlq'],
    ["select dlq.capture('{}')", 'schema dlq'],
    ["update dlq.producer_role set queue = 'other'", 'schema dlq'],
    ['select geom from geotask_dlq', 'geotask_dlq'],
    ['select params from geotask_dlq', 'geotask_dlq'],
    ['select * from failed_geotasks', 'failed_geotasks'],
    ["update geotask_dlq set resolved_at = now() where work_key = 'mine'", 'geotask_dlq'],
    ["update geotask_dlq set redriven_at = now() where work_key = 'mine'", 'geotask_dlq'],
    ['update geotask_dlq set geom = null', 'geotask_dlq'],
    ["update failed_geotasks set status = 'replayed'", 'failed_geotasks'],
    [
      "insert into geotask_dlq (work_key, task_name, params, failure_class, failed_at, resolved_at) values ('r', 't', '{}', 'oom', now(), now())",
      'geotask_dlq',
    ],
    ['delete from geotask_dlq', 'geotask_dlq'],
    ['truncate failed_geotasks', 'failed_geotasks'],
    ['drop table geotask_dlq', 'geotask_dlq'],
    ['alter table geotask_dlq disable trigger all', 'geotask_dlq'],
    ['create table public.mine (a int)', 'schema public'],
    ['create function public.st_asewkb(text) returns bytea language sql as $$ select null::bytea $$', 'schema public'],
    ['create function dlq_compat.mine() returns int language sql as $$ select 1 $$', 'schema dlq_compat'],
    ['set session_replication_role = replica', 'session_replication_role'],
    [`alter role "${OTHER}" set search_path = pg_temp`, ''],
    [`set role "${OTHER}"`, OTHER],
    [`set session authorization "${OTHER}"`, ''],
  ])('may not: %s', async (statement, named) => {
    const refused = await producer.query(statement).then(
      () => null,
      (error: pg.DatabaseError) => error,
    );
    expect(refused).toMatchObject({ code: '42501' });
    expect(refused?.message).toContain(named);
  });

  test('without dlq_compat a statement that PostGIS refuses is refused aloud', async () => {
    const { errors } = await storeBy(asRole(OTHER, password), 'geotask_dlq', [
      { ...first, work_key: 'loud', wkb_hex: unclosed },
    ]);
    expect(errors).toHaveLength(1);
  });

  test('can add a failure to a key that it can name, and takes nothing from the entry’s queue', async () => {
    await storeBy(asRole(OTHER, password), 'geotask_dlq', [first]);
    expect(await admin("select queue, attempts from dlq.entry where work_key = 'mine'")).toEqual([
      { queue: 'tiles', attempts: 3 },
    ]);
  });

  test('made again with other options it has those alone, and only once', async () => {
    await makeProducerRole(database.db, { ...plan, role_name: OTHER, queue: null, verifier: null, compat: true });
    await makeProducerRole(database.db, { ...plan, role_name: OTHER, queue: null, verifier: null, compat: false });
    expect(await admin('select rolconfig from pg_roles where rolname = $1', [OTHER])).toEqual([{ rolconfig: null }]);
    expect(await storeBy(asRole(OTHER, password), 'geotask_dlq', [{ ...first, work_key: 'default queue' }])).toEqual({
      stored: 1,
      errors: [],
    });
    expect(await admin("select queue from dlq.entry where work_key = 'default queue'")).toEqual([{ queue: 'default' }]);
  });
});

describe('a role that no grant would hold back is refused', () => {
  test('a superuser, the owner, a name of PostgreSQL’s own', async () => {
    const [{ me }] = (await admin('select session_user as me')) as [{ me: string }];
    await expect(planProducerRole(database.db, { role_name: me, ...plan })).rejects.toThrow('superuser');
    await expect(planProducerRole(database.db, { role_name: 'pg_monitor', ...plan })).rejects.toThrow(
      'keeps for itself',
    );
    await admin(`grant pg_read_all_data to ${pg.escapeIdentifier(OTHER)}`);
    await expect(planProducerRole(database.db, { role_name: OTHER, ...plan })).rejects.toThrow(
      'is a member of pg_read_all_data',
    );
    await admin(`revoke pg_read_all_data from ${pg.escapeIdentifier(OTHER)}`);
  });

  test('its password is kept as PostgreSQL keeps it, and is never in a statement', async () => {
    const statements = (await planProducerRole(database.db, { role_name: `new_${suffix}`, ...plan })).join('\n');
    expect(statements).not.toContain(password);
    const [{ kept }] = (await admin('select rolpassword as kept from pg_authid where rolname = $1', [PRODUCER])) as [
      { kept: string },
    ];
    expect(scramVerifier(password, Buffer.from(kept.split(/[:$]/)[2] ?? '', 'base64'))).toBe(kept);
  });
});
