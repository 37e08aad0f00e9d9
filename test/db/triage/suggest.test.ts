import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Role } from '@/lib/dead-letter/vocabulary';
import { suggestParams } from '@/lib/triage/suggest-params';
import { suggestValues } from '@/lib/triage/suggest-values';
import { cloneDatabase, type TestDatabase } from '@/test/support/database';
import { blankRow, insertRows, type Row } from './rows';

let database: TestDatabase;

beforeAll(async () => {
  database = await cloneDatabase();
  const fields: Partial<Row>[] = [
    { params: { zoom: 3, tile: { mode: 'fast' }, bands: [1, 2] }, source_uris: ['s3://a/1.tif', 's3://b/2.tif'] },
    { params: { zoom: 3, 'odd.name': null }, source_uris: ['s3://a/1.tif'], task_name: 'clip', code_version: 'V2' },
    { params: { zoom: 'all', tile: { mode: 'fine' } }, task_name: 'clip', code_version: 'v10' },
    { params: { zoom: 3, secret: 'Jane' }, source_uris: ['s3://jane/doe.tif'], sensitive: true },
    { params: [1], src_crs: `PROJCS["${'x'.repeat(3000)}"]` },
    { params: null, params_raw: '{', src_crs: null, code_version: null },
  ];
  await insertRows(
    database.pool,
    fields.map((one, index) => ({ ...blankRow(index + 1), ...one })),
  );
});
afterAll(() => database?.drop());

const ctx = (role: Role) => ({ db: database.db, actor: { name: 'somebody', role } });
const params = (path: string | null, prefix = '', role: Role = 'operator', filter = {}) =>
  suggestParams(ctx(role), { path, prefix, filter });

describe('suggestions', () => {
  test('name the paths of params with their types, the most frequent first', async () => {
    expect(await params(null)).toEqual({
      paths: [
        { path: 'zoom', types: ['number', 'string'], count: 4 },
        { path: 'tile.mode', types: ['string'], count: 2 },
        { path: '"odd.name"', types: ['null'], count: 1 },
        { path: 'secret', types: ['string'], count: 1 },
      ],
      values: [],
      sampled: 6,
      capped: false,
    });
    expect((await params(null, 'TILE')).paths.map(({ path }) => path)).toEqual(['tile.mode']);
  });

  test('name the values at a path, among the entries that match', async () => {
    expect((await params('zoom')).values).toEqual([
      { value: 3, count: 3 },
      { value: 'all', count: 1 },
    ]);
    expect((await params('tile.mode', 'FI')).values).toEqual([{ value: 'fine', count: 1 }]);
    expect((await params('zoom', '', 'operator', { task_name: ['clip'] })).values.map(({ count }) => count)).toEqual([
      1, 1,
    ]);
    await expect(params('a..b')).rejects.toThrow(/path takes a path such as tile\.zoom/);
    expect((await params(`"x'); drop table dlq.entry; --"`)).values).toEqual([]);
  });

  test('tell a viewer nothing of sensitive entries', async () => {
    expect((await params(null, '', 'viewer')).paths.map(({ path }) => path)).not.toContain('secret');
    expect((await params('secret', '', 'viewer')).values).toEqual([]);
    const sources = (role: Role) => suggestValues(ctx(role), { field: 'source_uri', prefix: 's3://', filter: {} });
    expect((await sources('operator')).values).toEqual(['s3://a/1.tif', 's3://b/2.tif', 's3://jane/doe.tif']);
    expect((await sources('viewer')).values).toEqual(['s3://a/1.tif', 's3://b/2.tif']);
  });

  test('name the values of a field that begin with what was typed, in either case', async () => {
    const values = async (field: 'task_name' | 'code_version' | 'src_crs', prefix: string) =>
      (await suggestValues(ctx('viewer'), { field, prefix, filter: {} })).values;
    expect(await values('task_name', '')).toEqual(['clip', 'reproject_parcels']);
    expect(await values('code_version', 'v')).toEqual(['v1', 'v10', 'V2']);
    expect(await values('src_crs', 'epsg')).toEqual(['EPSG:4326']);
    expect(await values('src_crs', 'PROJCS')).toEqual([]);
    expect(await values('task_name', "c%' or true --")).toEqual([]);
    expect(await values('task_name', '\0')).toEqual([]);
  });
});
