import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { siblingPriors } from '@/db/queries/sibling-priors';
import { diagnoseBatch } from '@/lib/diagnose/diagnose-batch';
import { captureOne } from '@/lib/ingest/capture-one';
import { cloneDatabase, type TestDatabase } from '../support/database';

let database: TestDatabase;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database?.drop());

const capture = (given: Record<string, unknown>) =>
  captureOne({ db: database.db }, { text: JSON.stringify({ src_crs: 'EPSG:25832', ...given }), via: 'http' });
const diagnoseAll = async () => {
  while ((await diagnoseBatch(database.db)) > 0);
};
async function siblingsOf(task_name: string, uri: string | null = null) {
  const { rows } = await database.pool.query<{ key: string }>('select dlq.sibling_key($1, $2)::text as key', [
    task_name,
    uri === null ? null : [uri],
  ]);
  const [found] = await database.db.transaction((tx) => siblingPriors(tx, [rows[0]?.key as string]));
  return found ?? { entry_ids: [], crs: [], lons: [], lats: [] };
}
const verdictOf = async (work_key: string) => {
  const { rows } = await database.pool.query<{ crs_verdict: string; suggestion: string | null; crs_reason: string }>(
    `select d.crs_verdict, d.suggestion #>> '{}' as suggestion, d.crs_reason from dlq.diagnosis d join dlq.entry e on e.id = d.entry_id
     where e.work_key = $1`,
    [work_key],
  );
  return rows[0];
};
/** About Cologne, in UTM 32. */
const place = (i: number) => ({ geom_wkt: `POINT(${356_000.25 + i * 37} ${5_645_000.25 + i * 41})` });

describe('the siblings of an entry', () => {
  test('are those of its task whose claim agrees, each once however often it is diagnosed', async () => {
    for (let i = 0; i < 8; i++) await capture({ work_key: `agrees-${i}`, task_name: 'parcels', ...place(i) });
    await capture({ work_key: 'elsewhere', task_name: 'parcels', geom_wkt: 'POINT(1.5 2.5)', src_crs: 'EPSG:99999' });
    await capture({ work_key: 'other-task', task_name: 'roads', ...place(9) });
    await diagnoseAll();
    const before = await siblingsOf('parcels');
    expect(new Set(before.crs)).toEqual(new Set(['EPSG:25832']));
    expect(before.entry_ids.length).toBeGreaterThan(4);
    await database.pool.query('update dlq.diagnosis set diagnosed_at = null, tries = 0');
    await diagnoseAll();
    expect((await siblingsOf('parcels')).entry_ids.sort()).toEqual(before.entry_ids.sort());
    expect(before.lons.every((lon) => lon !== null && lon > 6.9 && lon < 7.1)).toBe(true);
  });

  test('of a source are those of its folder', async () => {
    const one = { task_name: 'tiles', ...place(1) };
    await capture({ work_key: 'a/1', source_uris: ['s3://maps/a/1.tif?v=2/3'], ...one });
    await capture({ work_key: 'b/1', source_uris: ['s3://maps/b/1.tif'], ...one });
    await diagnoseAll();
    expect((await siblingsOf('tiles', 's3://maps/a/2.tif')).entry_ids).toHaveLength(1);
    expect((await siblingsOf('tiles', 's3://maps/c/2.tif')).entry_ids).toHaveLength(0);
  });

  test('are at most 32, the newest of each slot', async () => {
    for (let i = 0; i < 200; i++) await capture({ work_key: `many-${i}`, task_name: 'many', ...place(i) });
    await diagnoseAll();
    const { entry_ids } = await siblingsOf('many');
    expect(entry_ids.length).toBeGreaterThan(20);
    expect(entry_ids.length).toBeLessThanOrEqual(32);
  });

  test('are not the sensitive ones', async () => {
    await capture({ work_key: 'secret', task_name: 'secrets', sensitive: true, ...place(1) });
    await diagnoseAll();
    expect((await siblingsOf('secrets')).entry_ids).toEqual([]);
  });

  test('lose one whose claim does not hold any more', async () => {
    await capture({ work_key: 'changes', task_name: 'changing', ...place(1) });
    await diagnoseAll();
    expect((await siblingsOf('changing')).entry_ids).toHaveLength(1);
    await capture({ work_key: 'changes', task_name: 'changing', src_crs: 'EPSG:99999', ...place(1) });
    await diagnoseAll();
    expect((await siblingsOf('changing')).entry_ids).toEqual([]);
  });

  test('whose claim was edited count once they are resolved as fixed', async () => {
    const { id } = await capture({
      work_key: 'edited',
      task_name: 'edits',
      src_crs: 'EPSG:26592',
      geom_wkt: 'POINT(2423346.99 5055619.87)',
    });
    await diagnoseAll();
    expect((await siblingsOf('edits')).entry_ids).toEqual([]);
    await database.pool.query(
      `with new as (
         insert into dlq.payload (entry_id, payload_hash, geom, geom_wkb, src_crs, edited_by)
           select entry_id, '\\x01', geom, geom_wkb, 'EPSG:26591', 'someone' from dlq.payload where entry_id = $1 returning entry_id
       ), moved as (update dlq.entry set payload_hash = '\\x01' where id = $1)
       update dlq.diagnosis set diagnosed_at = null, tries = 0 where entry_id = $1`,
      [id],
    );
    await diagnoseAll();
    expect((await verdictOf('edited'))?.crs_verdict).not.toBe('agrees');
    expect((await siblingsOf('edits')).entry_ids).toEqual([]);
    await database.pool.query(
      "update dlq.state set state = 'resolved', resolution = 'fixed', resolved_at = now(), version = version + 1 where entry_id = $1",
      [id],
    );
    expect(await siblingsOf('edits')).toMatchObject({ entry_ids: [id], crs: ['EPSG:26591'] });
  });

  test('tell that a claim puts an entry far from where its kind lies', async () => {
    await capture({ work_key: 'astray', task_name: 'parcels', src_crs: 'EPSG:25833', ...place(3) });
    await diagnoseAll();
    const { rows } = await database.pool.query<{ crs: string; in_prior: number }>(
      `select c ->> 'crs' as crs, (c ->> 'in_prior')::float8 as in_prior
       from dlq.diagnosis d join dlq.entry e on e.id = d.entry_id, jsonb_array_elements(d.candidates) c
       where e.work_key = 'astray' and c ->> 'crs' = 'EPSG:25832'`,
    );
    expect((await verdictOf('astray'))?.crs_verdict).toBe('wrong_crs');
    expect(rows).toEqual([{ crs: 'EPSG:25832', in_prior: 1 }]);
  });
});
