import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { captureOne } from '@/lib/ingest/capture-one';
import { listOperations } from '@/lib/operations/get-operation';
import { listItems } from '@/lib/operations/list-items';
import { previewOperation } from '@/lib/operations/preview-operation';
import { startOperation } from '@/lib/operations/start-operation';
import { cancelOperation } from '@/lib/operations/steer-operation';
import { cloneDatabase, type TestDatabase } from '../support/database';

let database: TestDatabase;
let ctx: { db: TestDatabase['db']; actor: { name: string; role: 'operator' } };

beforeAll(async () => {
  database = await cloneDatabase();
  ctx = { db: database.db, actor: { name: 'ann', role: 'operator' } };
  for (const work_key of ['a', 'b', 'c'])
    await captureOne(ctx, { text: JSON.stringify({ work_key, task_name: 'clip', error_text: 'e' }), via: 'http' });
  const [quarantined] = (await database.pool.query(`select id from dlq.entry where work_key = 'c'`)).rows;
  await database.pool.query(`update dlq.state set state = 'quarantined', version = version + 1 where entry_id = $1`, [
    quarantined.id,
  ]);
});
afterAll(() => database?.drop());

describe('a preview', () => {
  test('names the whole set and the operation it would be, whose left out can be listed before it starts', async () => {
    const preview = await previewOperation(ctx, { action: 'quarantine', filter: { task_name: ['clip'] } });
    expect(preview).toMatchObject({ matched: 3, eligible: 2 });
    const left = await listItems(ctx, { id: preview.operation_id, outcome: 'skipped', cursor: null, limit: 10 });
    expect(left.items.map(({ work_key, detail }) => [work_key, detail])).toEqual([['c', 'quarantined']]);
    expect((await listOperations(ctx, { cursor: null })).items).toEqual([]);
  });
});

describe('the list of operations', () => {
  test('can be narrowed to those that run', async () => {
    const ids: string[] = [];
    for (const reason of ['first', 'second']) {
      const { preview_id } = await previewOperation(ctx, { action: 'abandon', filter: { task_name: ['clip'] } });
      ids.push((await startOperation(ctx, { preview_id, reason })).id);
    }
    const [first = '', second = ''] = ids;
    await cancelOperation(ctx, first);
    const idsOf = async (state: string | null) =>
      (await listOperations(ctx, { cursor: null, state })).items.map(({ id }) => id);
    expect(await idsOf('running')).toEqual([second]);
    expect(await idsOf('cancelled')).toEqual([first]);
    expect(await idsOf(null)).toEqual([second, first]);
    await expect(idsOf('asleep')).rejects.toMatchObject({ code: 'bad_request' });
  });
});
