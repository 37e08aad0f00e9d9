import type { SQL } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { closePool } from '@/db/client';
import { captureSchema } from '@/lib/contract/capture';
import { EXPORT_COLUMNS, exportRowSchema } from '@/lib/contract/export';
import type { Filter } from '@/lib/contract/filter';
import type { RouteHandler } from '@/lib/http/route';
import { exportGeoJson } from '@/lib/triage/export/export-geojson';
import { exportRows } from '@/lib/triage/export/export-rows';
import { MASKED } from '@/lib/triage/mask';
import { blankRow, insertRows, type Row } from '@/test/db/triage/rows';
import { cloneDatabase, type TestDatabase } from '@/test/support/database';
import { send } from '@/test/support/http';
import { serveRoutes } from '@/test/support/serve-routes';

let database: TestDatabase;
let handler: RouteHandler;
let server: Awaited<ReturnType<typeof serveRoutes>>;

const HOSTILE = [
  '=1+1',
  '@SUM(A1)',
  '-2',
  '+3',
  '\t=x',
  'a,"b"\r\nc',
  '{"a":1}',
  '🗺 ü',
  "'; drop table dlq.entry; --",
  'x'.repeat(3000),
  '',
];
const rows: Row[] = [
  ...HOSTILE.map((text, i) => ({
    ...blankRow(i + 1),
    work_key: `${text}#${i}`.slice(0, 400),
    error_text: text,
    task_name: text || 'empty',
    src_crs: text || null,
    code_version: text || null,
    run_id: text || null,
    crs_verdict: i % 2 ? 'axis_swapped' : null,
    faults: i % 3 ? ['self_intersection', 'spike'] : [],
  })),
  {
    ...blankRow(50),
    sensitive: true,
    error_text: 'secret text',
    run_id: 'secret run',
    at: [-77.77, 33.33] as [number, number],
  },
  { ...blankRow(51), state: 'resolved' },
  { ...blankRow(52), at: null, unmappable_reason: 'no_crs' },
];

/** Footprints that are no GeoJSON, or hard to write, by entry. */
const FOOTPRINTS: Record<number, string> = {
  1: `'POLYGON((0 0,0 2,2 2,2 0,0 0),(0.5 0.5,1 0.5,1 1,0.5 1,0.5 0.5))'::geometry`,
  2: `'MULTIPOLYGON(((170 0,180 0,180 2,170 0)),((-180 0,-170 0,-180 2,-180 0)))'::geometry`,
  3: `ST_MakePoint('NaN'::float8, 2)`,
  4: `ST_MakeLine(ST_MakePoint(1, 2), ST_MakePoint('Infinity'::float8, 4))`,
  5: `'MULTIPOINT(EMPTY, 1 2)'::geometry`,
  6: `'CURVEPOLYGON(CIRCULARSTRING(0 0,1 1,2 0,1 -1,0 0))'::geometry`,
  7: `'TIN(((0 0,1 0,0 1,0 0)))'::geometry`,
  8: `'GEOMETRYCOLLECTION(POINT(1 2),GEOMETRYCOLLECTION(LINESTRING(0 0,1 1)))'::geometry`,
  9: `'POLYGON EMPTY'::geometry`,
  // one ring, not closed
  10: `'0103000000010000000300000000000000000000000000000000000000000000000000F03F000000000000F03F00000000000000400000000000000000'::geometry`,
  50: `ST_MakePoint(-77.77, 33.33)`,
};

/** Bytes that end within a polygon. */
const SOURCE = '0103000020e61000000100000004';

beforeAll(async () => {
  database = await cloneDatabase();
  vi.stubEnv('DATABASE_URL', database.url);
  vi.stubEnv('DLO_LOG_LEVEL', 'silent');
  await insertRows(database.pool, rows);
  for (const [id, shape] of Object.entries(FOOTPRINTS))
    await database.pool.query(
      `update dlq.diagnosis set footprint = ST_SetSRID(${shape}, 4326), diagnosed_at = now(), suggestion = '"EPSG:3734"', also = '{deprecated}', crs_reason = 'at -77.77, 33.33' where entry_id = $1`,
      [id],
    );
  await database.pool.query(`update dlq.state set tile_distance_m = 'NaN' where entry_id = 2`);
  for (const id of [1, 50]) {
    await database.pool.query(
      `insert into dlq.payload (entry_id, payload_hash, geom_wkb) values ($1, '\\x01', decode($2, 'hex'))`,
      [id, SOURCE],
    );
    await database.pool.query(`update dlq.entry set payload_hash = '\\x01' where id = $1`, [id]);
  }
  handler = (await import('@/app/api/export/[format]/route')).GET;
  server = await serveRoutes([{ method: 'GET', path: '/api/export/[format]', handler }]);
});
afterAll(async () => {
  await server?.close();
  await closePool();
  await database?.drop();
});

const take = (path: string) => fetch(`${server.url}/api/export/${path}`);
const ctx = (role: 'viewer' | 'operator') => ({ db: database.db, actor: { name: 'someone', role } });

/** A reader of RFC 4180 that knows nothing of the writer. */
function csvRows(text: string): string[][] {
  const out: string[][] = [];
  const field = /(?:"((?:[^"]|"")*)"|([^,\r\n]*))(,|\r\n|$)/gy;
  let row: string[] = [];
  while (field.lastIndex < text.length) {
    const match = field.exec(text);
    if (!match) throw new Error(`no CSV at ${field.lastIndex}`);
    row.push(match[1] === undefined ? (match[2] ?? '') : match[1].replaceAll('""', '"'));
    if (match[3] === ',') continue;
    out.push(row);
    row = [];
  }
  return out;
}

describe('GET /api/export/csv', () => {
  test('has every entry that matches, by the columns, and no text that a spreadsheet would run', async () => {
    const response = await take('csv?state=any');
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(response.headers.get('content-disposition')).toMatch(
      /^attachment; filename="dead-letters-\d{4}-\d\d-\d\d\.csv"$/,
    );
    const [head, ...lines] = csvRows(await response.text());
    expect(head).toEqual([...EXPORT_COLUMNS]);
    expect(lines.map(([id]) => id)).toEqual(rows.map(({ id }) => id));
    for (const line of lines) {
      expect(line).toHaveLength(EXPORT_COLUMNS.length);
      for (const value of line) expect(value).not.toMatch(/^[=+@\t\r]|^-(?![\d.]+$)/);
    }
    const of = (id: number, column: (typeof EXPORT_COLUMNS)[number]) =>
      lines.find((line) => line[0] === String(id))?.[EXPORT_COLUMNS.indexOf(column)];
    expect(of(6, 'error_text')).toBe('a,"b"\r\nc');
    expect(of(10, 'error_text')).toHaveLength(3000);
    expect(of(2, 'fault_codes')).toBe('self_intersection spike');
    expect(of(2, 'crs_verdict')).toBe('axis_swapped');
    expect(of(1, 'suggestion')).toBe('EPSG:3734');
    expect(of(1, 'also')).toBe('deprecated');
  });

  test('takes the same filter as the list', async () => {
    const ids = async (query: string) =>
      csvRows(await (await take(`csv?${query}`)).text())
        .slice(1)
        .map(([id]) => id);
    expect(await ids('fault=spike')).toEqual(rows.filter(({ faults }) => faults.includes('spike')).map(({ id }) => id));
    expect(await ids('crs_verdict=axis_swapped&fault=!spike')).toEqual(
      rows.filter((row) => row.crs_verdict === 'axis_swapped' && !row.faults.includes('spike')).map(({ id }) => id),
    );
    expect(await ids('')).not.toContain('51');
    expect(await ids('task_name=absent')).toEqual([]);
  });
});

describe('GET /api/export/ndjson', () => {
  test('is a capture of the contract a line, whatever is in it', async () => {
    const response = await take('ndjson?state=any');
    expect(response.headers.get('content-type')).toBe('application/x-ndjson');
    const lines = (await response.text())
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({ work_key }) => work_key)).toEqual(rows.map(({ work_key }) => work_key));
    // SQL lets in names that are longer than a capture's may be
    const sendable = lines.filter(({ task_name }) => task_name.length <= 500);
    expect(sendable).toHaveLength(rows.length - 1);
    for (const line of sendable) expect(captureSchema.safeParse(line).error).toBeUndefined();
    for (const [i, text] of HOSTILE.entries()) expect(lines[i].error_text).toBe(text);
  });
});

describe('GET /api/export/geojson', () => {
  test('is valid GeoJSON whatever the footprints are, each entry a feature', async () => {
    const response = await take('geojson?state=any');
    expect(response.headers.get('content-type')).toBe('application/geo+json');
    const { type, features } = JSON.parse(await response.text());
    expect(type).toBe('FeatureCollection');
    expect(features.map(({ id }: { id: string }) => id)).toEqual(rows.map(({ id }) => id));
    const of = (id: number) => features.find((one: { id: string }) => one.id === String(id));
    expect(of(1).geometry).toEqual({
      type: 'Polygon',
      coordinates: [
        [
          [0, 0],
          [2, 0],
          [2, 2],
          [0, 2],
          [0, 0],
        ],
        [
          [0.5, 0.5],
          [0.5, 1],
          [1, 1],
          [1, 0.5],
          [0.5, 0.5],
        ],
      ],
    });
    expect(of(2).geometry.type).toBe('MultiPolygon');
    expect(of(8).geometry.geometries).toHaveLength(2);
    for (const id of [3, 4, 6, 7, 10]) {
      expect(of(id).geometry, String(id)).toBeNull();
      expect(of(id).properties.geometry_omitted, String(id)).toMatch(/\w/);
    }
    for (const { geometry } of features) expect(JSON.stringify(geometry)).not.toMatch(/null(?!$)|NaN|Infinity/);
    expect(of(52)).toMatchObject({ geometry: null, properties: { unmappable_reason: 'no_crs' } });
    expect(of(52).properties).not.toHaveProperty('geometry_omitted');
    const { geom_wkb, ...columns } = of(1).properties;
    expect(exportRowSchema.parse(columns)).toEqual(columns);
    expect(columns).toMatchObject({ suggestion: 'EPSG:3734', fault_codes: [] });
    // as it is stored, readable or not
    expect([geom_wkb, of(2).properties.geom_wkb]).toEqual([SOURCE, null]);
    // no JSON number is NaN
    expect(of(2).properties.tile_distance_m).toBeNull();
  });

  test('of nothing is an empty collection', async () => {
    expect(await (await take('geojson?task_name=absent')).json()).toEqual({ type: 'FeatureCollection', features: [] });
  });
});

describe('an export', () => {
  test('shows a viewer nothing that came from the data of a sensitive entry', async () => {
    const of = async (role: 'viewer' | 'operator') => {
      for await (const page of exportRows(ctx(role), { ids: ['50'] })) return page[0];
      return undefined;
    };
    expect((await of('operator'))?.row).toMatchObject({
      error_text: 'secret text',
      run_id: 'secret run',
      suggestion: 'EPSG:3734',
    });
    const seen = await of('viewer');
    expect(seen).toMatchObject({
      footprint_bytes: null,
      row: {
        work_key: MASKED,
        error_text: MASKED,
        run_id: MASKED,
        crs_reason: MASKED,
        suggestion: null,
        lon: null,
        lat: null,
        tile_distance_m: null,
      },
    });
    let text = '';
    for await (const piece of exportGeoJson(ctx('viewer'), exportRows(ctx('viewer'), { ids: ['50'] }))) text += piece;
    expect(JSON.parse(text).features[0].geometry).toBeNull();
    expect(text).not.toMatch(/secret|77\.|33\.|0103/);
  });

  test('has each entry once over many pages, and reads a page only when it is asked for', async () => {
    const asked = vi.spyOn(database.db, 'execute');
    const pages = exportRows(ctx('operator'), { state: ['any'] }, 4);
    await pages.next();
    expect(asked).toHaveBeenCalledTimes(1);
    await pages.next();
    expect(asked).toHaveBeenCalledTimes(2);
    await pages.return(undefined);
    asked.mockRestore();
    const ids: string[] = [];
    for await (const page of exportRows(ctx('operator'), { state: ['any'] }, 4))
      ids.push(...page.map(({ row }) => row.id));
    expect(ids).toEqual(rows.map(({ id }) => id));
  });

  test('looks for what lies outside the columns once for all its pages, and has all of it', async () => {
    const filter: Filter = { state: ['any'], fault: ['spike'], src_crs: ['!@SUM(A1)'] };
    const asked = vi.spyOn(database.db, 'execute');
    const ids: string[] = [];
    for await (const page of exportRows(ctx('operator'), filter, 2)) ids.push(...page.map(({ row }) => row.id));
    const statements = asked.mock.calls.map(([statement]) => new PgDialect().sqlToQuery(statement as SQL).sql);
    asked.mockRestore();
    const meant = rows.filter(({ faults, src_crs }) => faults?.includes('spike') && src_crs !== '@SUM(A1)');
    expect(ids).toEqual(meant.map(({ id }) => id));
    expect(ids.length).toBeGreaterThan(4);
    expect(statements.filter((text) => text.includes('fault_codes &&'))).toHaveLength(1);
  });

  test('in a format that there is not names those that there are', async () => {
    for (const format of ['shp', 'xlsx', '__proto__'])
      expect((await send(handler, { path: `/api/export/${format}`, params: { format } })).json).toMatchObject({
        error: { code: 'bad_request', message: expect.stringContaining('csv, ndjson, geojson, fgb, parquet') },
      });
    const refused = await send(handler, { path: '/api/export/csv?colour=red', params: { format: 'csv' } });
    expect(refused.status).toBe(400);
  });

  test('finds an entry by its faults whose id is over 2^32', async () => {
    await insertRows(database.pool, [{ ...blankRow(2 ** 33), faults: ['hole_outside_shell'] }]);
    const ids: string[] = [];
    for await (const page of exportRows(ctx('operator'), { fault: ['hole_outside_shell'] }))
      ids.push(...page.map(({ row }) => row.id));
    expect(ids).toEqual([String(2 ** 33)]);
  });
});
