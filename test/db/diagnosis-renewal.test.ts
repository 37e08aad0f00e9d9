import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { claimOutdated } from '@/db/queries/claim-outdated';
import { endRenewalTurn } from '@/db/queries/end-renewal-turn';
import { diagnoseBatch } from '@/lib/diagnose/diagnose-batch';
import { RULESET } from '@/lib/diagnose/ruleset';
import { captureOne } from '@/lib/ingest/capture-one';
import { cloneDatabase, type TestDatabase } from '../support/database';

let database: TestDatabase;
beforeAll(() => {
  vi.stubEnv('DLO_LOG_LEVEL', 'silent');
});
beforeEach(async () => {
  database = await cloneDatabase();
});
afterEach(() => database?.drop());
afterAll(() => vi.unstubAllEnvs());

const capture = (work_key: string, geom_wkt = 'POINT(10.5 50.25)') =>
  captureOne(
    { db: database.db },
    { text: JSON.stringify({ work_key, task_name: 't', src_crs: 'EPSG:4326', geom_wkt }), via: 'http' },
  );
const diagnoseAll = async () => {
  while ((await diagnoseBatch(database.db)) > 0);
};
/** As the version before this one left it: no verdict, no ruleset, and the walk about to begin. */
const makeOld = () =>
  database.pool.query(
    `with old as (update dlq.diagnosis set ruleset = 0, crs_verdict = null, crs_reason = null where diagnosed_at is not null)
     insert into dlq.diagnosis_renewal (ruleset) values (${RULESET}) on conflict (ruleset) do update set after_id = 0, finished_at = null`,
  );
const all = async () =>
  (
    await database.pool.query(
      `select e.work_key, d.ruleset, d.crs_verdict, d.tries, d.diagnosed_at is not null as done, c.crs_verdict as facet, s.version::int
       from dlq.entry e join dlq.diagnosis d on d.entry_id = e.id join dlq.state s on s.entry_id = e.id join dlq.combo c on c.id = s.combo
       order by e.id`,
    )
  ).rows;

describe('diagnoses of older rules', () => {
  test('are made anew while they stay on show, without a change of their entries', async () => {
    for (let i = 0; i < 130; i++) await capture(`unit-${i}`);
    await diagnoseAll();
    await makeOld();
    expect(await diagnoseBatch(database.db)).toBe(100);
    expect((await all()).map(({ done }) => done)).not.toContain(false);
    await diagnoseAll();
    const rows = await all();
    expect(rows).toHaveLength(130);
    for (const row of rows)
      expect(row).toMatchObject({ ruleset: RULESET, crs_verdict: 'agrees', facet: 'agrees', tries: 0, version: 1 });
    expect(await diagnoseBatch(database.db)).toBe(0);
  });

  test('wait for what is new', async () => {
    await capture('old');
    await diagnoseAll();
    await makeOld();
    await capture('new');
    await diagnoseBatch(database.db);
    expect(await all()).toMatchObject([
      { work_key: 'old', ruleset: 0 },
      { work_key: 'new', ruleset: RULESET, done: true },
    ]);
    await diagnoseAll();
    expect((await all())[0]).toMatchObject({ ruleset: RULESET });
  });

  test('are one worker’s at a time, and another’s when that one went away', async () => {
    for (let i = 0; i < 5; i++) await capture(`unit-${i}`);
    await diagnoseAll();
    await makeOld();
    const first = await claimOutdated(database.db, RULESET, 3);
    expect(first.rows).toHaveLength(3);
    expect((await claimOutdated(database.db, RULESET, 3)).turn).toBeNull();
    await database.pool.query('update dlq.diagnosis_renewal set lease_until = now()');
    const again = await claimOutdated(database.db, RULESET, 3);
    expect(again.rows.map(({ entry_id }) => entry_id)).toEqual([first.rows[0]?.entry_id]);
    await endRenewalTurn(database.db, RULESET, { through_id: null, is_end: false });
    await diagnoseAll();
    expect((await all()).map(({ ruleset }) => ruleset)).toEqual([1, 1, 1, 1, 1]);
  });

  test('that cannot be made anew are tried alone, thrice, and stay as they are', async () => {
    for (const [work_key, wkt] of [['before'], ['breaks', 'POINT(77 7)'], ['after']] as [string, string?][])
      await capture(work_key, wkt);
    await diagnoseAll();
    await makeOld();
    await database.pool.query(
      'alter table dlq.diagnosis add constraint breaks check (ruleset = 0 or ST_X(footprint) <> 77)  not valid',
    );
    for (let i = 0; i < 12; i++) await diagnoseBatch(database.db);
    expect(await all()).toMatchObject([
      { work_key: 'before', ruleset: RULESET },
      { work_key: 'breaks', ruleset: 0, done: true, tries: 3 },
      { work_key: 'after', ruleset: RULESET },
    ]);
    expect(await diagnoseBatch(database.db)).toBe(0);
  });

  test('of a payload that a capture replaces meanwhile are left to its own diagnosis', async () => {
    await capture('moves');
    await diagnoseAll();
    await makeOld();
    const { rows, turn } = await claimOutdated(database.db, RULESET, 3);
    await capture('moves', 'POINT(20.5 40.25)');
    const { diagnoseRows } = await import('@/lib/diagnose/diagnose-rows');
    await diagnoseRows(database.db, rows, null);
    expect(await all()).toMatchObject([{ done: false, tries: 0 }]);
    await endRenewalTurn(database.db, RULESET, turn ?? { through_id: null, is_end: false });
    await diagnoseAll();
    const { rows: places } = await database.pool.query('select ST_AsText(footprint) as place from dlq.diagnosis');
    expect(places).toEqual([{ place: 'POINT(20.5 40.25)' }]);
  });
});
