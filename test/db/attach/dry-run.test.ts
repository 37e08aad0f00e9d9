import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findTable } from '@/lib/attach/find-table';
import { previewAttach } from '@/lib/attach/preview';
import { cloneDatabase, type TestDatabase } from '../../support/database';
import { mappingOf } from './attached';
import { questionsTo } from './questions';
import { TEAM_TABLES } from './team-tables';

let database: TestDatabase;
beforeAll(async () => {
  database = await cloneDatabase();
  await database.pool.query(TEAM_TABLES);
});
afterAll(() => database?.drop());

const { rows, one } = questionsTo(() => database);

describe('a dry run', () => {
  test('says what each row would become, and changes nothing', async () => {
    const before = await one(
      'select (select count(*) from pg_trigger) as triggers, (select count(*) from pg_proc) as functions, last_value, is_called from dlq.entry_id',
    );
    const { attachment, notes } = await mappingOf(database.db, 'gis.dead_parcels');
    expect(attachment).toMatchObject({
      rows_are: 'units',
      row_key: ['work_key'],
      mapping: { geom: ['geom'], params: ['params'], resolved_at: ['resolved_at'] },
    });
    expect(notes).toEqual([]);
    const preview = await previewAttach(database.db, attachment, { chunk: 64 });
    expect(preview).toMatchObject({
      rows: 200,
      attempts: 500,
      failure_class: { oom: 66, unknown: 134 },
      state: { open: 180, resolved: 20 },
      problem: { 'failed again after it was resolved: it comes in as open': 1 },
    });
    expect(preview.sample[0]).toMatchObject({
      work_key: 'parcel-1',
      task_name: 'clip',
      attempts: 2,
      geometry: 'POINT',
      src_crs: 'EPSG:25832',
    });
    expect(preview.statements.join('\n')).toContain(
      'create trigger zz_dead_letters_1_capture before insert on gis.dead_parcels',
    );
    expect(
      await one(
        'select (select count(*) from pg_trigger) as triggers, (select count(*) from pg_proc) as functions, last_value, is_called from dlq.entry_id',
      ),
    ).toEqual(before);
    expect(await rows('select 1 from dlq.entry union all select 1 from dlq.attached_table')).toEqual([]);
  });

  test('names rows that say no moment and count no attempt, and what is taken instead', async () => {
    await database.pool.query(`
      create table gis.timeless (work_key text primary key, task_name text, failed_at timestamptz, attempts integer);
      insert into gis.timeless values ('a', 't', 'infinity', 1), ('b', 't', null, 0), ('c', 't', '2026-11-01Z', null);
      create table gis.timeless_twice (work_key text primary key, task_name text, failed_at timestamptz, first_seen timestamptz);
      insert into gis.timeless_twice values ('a', 't', '-infinity', '2026-11-01Z')`);
    const problems = async (name: string) =>
      (await previewAttach(database.db, (await mappingOf(database.db, name)).attachment, { chunk: 64 })).problem;
    expect(await problems('gis.timeless')).toEqual({
      'says no moment at which it failed: that of attaching is taken': 2,
      'counts no attempt: it comes in with one': 1,
    });
    expect(await problems('gis.timeless_twice')).toEqual({
      'says no moment at which it failed: that of its first failure is taken, where it has one, else that of attaching': 1,
    });
  });

  test('names what the mapping leaves out, and where a column has to be named', async () => {
    const { attachment, notes } = await mappingOf(database.db, 'gis."Broken Tiles"', {
      'why "it" broke': 'error_text',
    });
    expect(attachment.mapping).toEqual({
      work_key: ['Tile Id'],
      geom: ['geom'],
      error_text: ['why "it" broke'],
      param: ['lon', 'lat', 'note'],
    });
    expect(notes.join(' ')).toContain('--map created_at=failed_at');
    await expect(mappingOf(database.db, 'gis."Broken Tiles"', { created: 'failed_at' })).rejects.toThrow(
      'there is no column created',
    );
    await expect(mappingOf(database.db, 'gis."Broken Tiles"', { note: 'failed_at' })).rejects.toThrow(
      'note is text, which failed_at cannot be',
    );
    await expect(mappingOf(database.db, 'gis."Broken Tiles"', { note: 'reason' })).rejects.toThrow(
      'reason is no field of a capture',
    );
  });

  test.each([
    [
      'gis.open_parcels',
      'is a view: it holds no rows of its own that a trigger could see. Attach the table behind it: gis.dead_parcels',
    ],
    ['"Old Pipeline"."Failed Tasks 0"', 'is a partition of "Old Pipeline"."Failed Tasks"'],
    ['geotask_dlq', 'is under capture already'],
    ['dlq.entry', 'is a table of the system or of this product'],
    ['Broken Tiles', 'did you mean gis."Broken Tiles"?'],
    ['gis.nothing', 'there is no table gis.nothing'],
  ])('%s is refused with the reason', async (name, reason) => {
    await expect(findTable(database.db, name)).rejects.toThrow(reason);
  });

  test('a table without a key is refused with the reason', async () => {
    await expect(mappingOf(database.db, 'gis.keyless')).rejects.toThrow('gis.keyless has no key');
  });
});
