import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { ExportFormat } from '@/lib/contract/export';
import { exportEntries } from '@/lib/triage/export/export-entries';
import { cloneDatabase, type TestDatabase } from '../../support/database';
import { makeSpoolWorld, type SpoolWorld } from '../spool/spool-world';

let first: TestDatabase;
let second: TestDatabase;
const worlds: SpoolWorld[] = [];
beforeAll(async () => {
  [first, second] = await Promise.all([cloneDatabase(), cloneDatabase()]);
});
afterEach(() => {
  for (const world of worlds.splice(0)) world.remove();
});
afterAll(() => Promise.all([first?.drop(), second?.drop()]));

/** Loads lines as the worker and `dlo ingest` do; answers what became of them. */
async function load(database: TestDatabase, lines: string): Promise<Record<string, unknown> | undefined> {
  const world = makeSpoolWorld(database);
  worlds.push(world);
  world.write('lines.ndjson', lines);
  await world.load({ limits: { chunk_lines: 5, chunk_bytes: 1_000_000, max_line_bytes: 1_000_000 } });
  return world.file('lines.ndjson');
}

async function exported(database: TestDatabase, role: 'viewer' | 'operator', format: ExportFormat = 'ndjson') {
  const ctx = { db: database.db, actor: { name: 'someone', role } };
  const pieces: Buffer[] = [];
  for await (const piece of exportEntries(ctx, format, { state: ['any'] })) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces).toString('utf8');
}

/** All of an entry and its current payload that a capture decides. */
const asStored = async ({ pool }: TestDatabase) =>
  (
    await pool.query(
      `select e.work_key, e.idempotency_key, e.queue, e.task_name, e.task_id, e.geom_hash, encode(e.payload_hash, 'hex') as payload_hash,
         e.code_version, e.run_id, e.failure_class, e.failure_class_claimed, e.classified_by, e.error_class, e.error_type, e.error_text,
         e.traceback, e.signature, e.failed_at::text as failed_at, e.sensitive, encode(p.geom_wkb, 'hex') as geom_wkb, p.geom_given, p.geom_format,
         p.geom_error, p.srid, p.src_crs, p.tile_z, p.tile_x, p.tile_y, p.tile_matrix_set, p.source_uris, p.source_window, p.nodata,
         p.target_crs, p.params::text as params, convert_from(p.params_raw, 'UTF8') as params_raw, p.payload_ref
       from dlq.entry e join dlq.payload p on p.entry_id = e.id and p.payload_hash = e.payload_hash order by e.work_key`,
    )
  ).rows;

let number = 0;
/** A line with these members beside the ones that every capture has; `raw` stands in it as it is. */
function line(members: Record<string, unknown>, raw = ''): string {
  number += 1;
  const given = {
    work_key: `round/${number}`,
    task_name: 'reproject',
    failed_at: '2026-11-30T01:02:03.456789Z',
    ...members,
  };
  const text = JSON.stringify(given);
  return raw === '' ? text : `${text.slice(0, -1)},${raw}}`;
}

const NAN_POINT = '0101000020e6100000000000000000f87f000000000000f0bf';
const LINES = [
  line({
    geom_wkb: NAN_POINT,
    src_crs: 'EPSG:4326',
    tile_z: 14,
    tile_x: -4469,
    tile_y: 6114,
    tile_matrix_set: 'WebMercatorQuad',
  }),
  line({
    geom_wkb: '0103000000010000000300',
    error_type: 'GEOSException',
    error_text: 'IllegalArgumentException: NUL \0 and \ud800',
  }),
  line({ geom_wkb: 'neither hex nor base64 !' }),
  line({ geom_wkt: 'POLYGON((0 0, 2 2, 2 0, 0 2, 0 0))', srid: 3734, src_crs: 'EPSG:3734' }),
  line({ geom_wkt: 'POLYGON((0 0, 2 2, \n nonsense ü🗺' }),
  line({ geom_geojson: { type: 'Point', coordinates: [1, 2] } }),
  line({}, '"geom_geojson": { "type" : "Point","coordinates":[1.50, -0.0], "crs":null}'),
  line({ geom_geojson: 'no JSON' }),
  line({ geom_geojson: { type: 'Point', coordinates: ['x', null] } }),
  line({ payload_ref: `sha256:${'ab'.repeat(32)}`, geom_format: 'wkt' }),
  line({ src_crs: { type: 'GeographicCRS', name: 'NAD27' } }),
  line({}, '"src_crs":  4267.0'),
  line({}, '"params": {"b":1.000,"a":0.1000000000000000055511151231257827,"big":123456789012345678901234567890}'),
  line({}, '"params": {"nan":"NaN","overflow":1e999999,"negative_zero":-0.0,"exponent":1E+2}'),
  line({}, '"params": {"nul":"a\\u0000b","half":"\\ud800","twice":1,"twice":2}'),
  line({}, `"params": ${'['.repeat(100)}${']'.repeat(100)}`),
  line({}, '"params": null, "nodata": 1.50'),
  line({ params: 'a text', nodata: 'nan', source_uris: ['s3://bucket/a.tif', ''], target_crs: 'EPSG:3857' }),
  line({ source_window: { col_off: 0.5, row_off: -1, width: 1e21, height: 512 } }),
  line({ queue: 'staging', task_id: 'unit 7', geom_hash: 'abc', run_id: 'night', code_version: '1.2.3' }),
  line({ failure_class: 'a word of its own', error_class: 'fatal' }),
  line({ error_type: 'TimeoutError', error_text: 'e'.repeat(20_000), traceback: `${'frame\n'.repeat(20_000)}end` }),
  line({ work_key: 'shared', task_name: 'one' }),
  line({ work_key: 'shared', task_name: 'another' }),
  line({ work_key: 'key with \0 and \udfff', sensitive: true, error_text: 'of a sensitive one' }),
];

test('entries taken away as NDJSON and loaded into an empty database are the same entries, to the byte', async () => {
  expect(await load(first, `${LINES.join('\n')}\n`)).toMatchObject({ stored: LINES.length, rejected: 0 });
  await first.pool.query(
    `select dlq.capture('{"work_key": "by sql", "task_name": "sql"}', null, 'SRID=4326;POINT Z (1 2 3)'::geometry)`,
  );
  const text = await exported(first, 'operator');
  const lines = text.trimEnd().split('\n');
  expect(lines).toHaveLength(LINES.length + 1);
  expect(await load(second, text)).toMatchObject({ stored: lines.length, rejected: 0 });
  expect(await asStored(second)).toEqual(await asStored(first));
  const again = await exported(second, 'operator');
  expect(again.trimEnd().split('\n').sort()).toEqual(lines.sort());
});

test('the same export counts once, wherever it is loaded again', async () => {
  const text = await exported(first, 'operator');
  const count = text.trimEnd().split('\n').length;
  for (const database of [first, second]) {
    const before = await asStored(database);
    expect(await load(database, text)).toMatchObject({ stored: 0, duplicates: count, rejected: 0 });
    expect(await asStored(database)).toEqual(before);
  }
});

test('to a viewer the line of a sensitive entry holds nothing of it, and is refused by name where it is loaded', async () => {
  const text = await exported(first, 'viewer');
  const masked = text
    .trimEnd()
    .split('\n')
    .filter((one) => one.startsWith('{"masked"'));
  expect(masked.map((one) => JSON.parse(one))).toEqual([
    { masked: { id: expect.any(String), task_name: 'reproject', queue: 'default', failure_class: 'unknown' } },
  ]);
  expect(text).not.toMatch(/key with|of a sensitive one/);
  expect(await load(second, text)).toMatchObject({ stored: 0, rejected: 1, duplicates: LINES.length });
});
