import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ExportFormat } from '@/lib/contract/export';
import { EXPORT_COLUMNS } from '@/lib/contract/export';
import { exportResponse } from '@/lib/http/export-response';
import { exportEntries } from '@/lib/triage/export/export-entries';
import { exportParquet } from '@/lib/triage/export/export-parquet';
import { exportRows } from '@/lib/triage/export/export-rows';
import { blankRow, insertRows, type Row } from '@/test/db/triage/rows';
import { cloneDatabase, type TestDatabase } from '@/test/support/database';

/** Footprints by entry; those without a GeoJSON form are left out of every format. */
const FOOTPRINTS: Record<number, string> = {
  1: 'POINT(-81.69 41.5)',
  2: 'LINESTRING(0 0, 1 1, 2 0)',
  3: 'POLYGON((0 0,0 2,2 2,2 0,0 0),(0.5 0.5,1 0.5,1 1,0.5 1,0.5 0.5))',
  4: 'MULTIPOLYGON(((170 0,180 0,180 2,170 0)),((-180 0,-170 0,-180 2,-180 0),(-179 0.2,-178 0.2,-179 0.4,-179 0.2)))',
  5: 'MULTILINESTRING((0 0,1 1),(2 2,3 3,4 4))',
  6: 'MULTIPOINT(1 2,3 4)',
  7: 'GEOMETRYCOLLECTION(POINT(1 2),LINESTRING(0 0,1 1))',
  8: 'CURVEPOLYGON(CIRCULARSTRING(0 0,1 1,2 0,1 -1,0 0))',
  9: 'POLYGON EMPTY',
  10: 'POINT(-77.77 33.33)',
};
const rows: Row[] = Array.from({ length: 12 }, (_, i) => ({
  ...blankRow(i + 1),
  work_key: `file/${i + 1}`,
  error_text: i === 2 ? '=cmd|"x"\r\nü🗺' : `error ${i}`,
  faults: i === 3 ? ['self_intersection', 'spike'] : [],
  sensitive: i === 9,
}));

let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'dlo-export-'));
  database = await cloneDatabase();
  await insertRows(database.pool, rows);
  for (const [id, shape] of Object.entries(FOOTPRINTS))
    await database.pool.query(
      `update dlq.diagnosis set footprint = ST_GeomFromText($2, 4326), diagnosed_at = now() where entry_id = $1`,
      [id, shape],
    );
});
afterAll(async () => {
  await database?.drop();
  rmSync(folder, { recursive: true, force: true });
});

const ctx = (role: 'viewer' | 'operator' = 'operator') => ({ db: database.db, actor: { name: 'someone', role } });

async function file(format: ExportFormat, role?: 'viewer'): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of exportEntries(ctx(role), format, { state: ['any'] })) pieces.push(Buffer.from(piece));
  const name = path.join(folder, `${role ?? 'all'}.${format}`);
  writeFileSync(name, Buffer.concat(pieces));
  return name;
}

function gdal(command: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(`/usr/bin/${command}`, args, { encoding: 'utf8' });
  expect([status, stderr.replace(/^Warning.*\n?/gm, '')]).toEqual([0, '']);
  return stdout;
}

interface Read {
  geometry: { type: string } | null;
  properties: Record<string, unknown>;
}
/** What GDAL reads in a file, its numbers to the last digit. */
const readBack = (name: string): Read[] =>
  JSON.parse(gdal('ogr2ogr', '-f', 'GeoJSON', '-lco', 'SIGNIFICANT_FIGURES=17', '/vsistdout/', name)).features;

describe('GDAL', () => {
  test('opens GeoJSON with a feature an entry', async () => {
    expect(gdal('ogrinfo', '-so', '-al', await file('geojson'))).toMatch(/Feature Count: 12\n/);
  });

  test('opens CSV with a row an entry, and none of its texts is a formula', async () => {
    const read = readBack(await file('csv'));
    expect(read.map(({ properties }) => properties.work_key)).toEqual(rows.map(({ work_key }) => work_key));
    // GDAL itself makes one character of a line's end
    expect(read[2]?.properties.error_text).toBe('\'=cmd|"x"\nü🗺');
  });

  test('reads in FlatGeobuf the footprints and columns that GeoJSON has, whatever their type, and features without one', async () => {
    const [fgb, geojson] = [readBack(await file('fgb')), readBack(await file('geojson'))];
    const shape = (one: Read | undefined) => JSON.stringify(one?.geometry ?? null);
    for (const i of [0, 1, 4, 5, 6]) expect(shape(fgb[i]), String(i)).toBe(shape(geojson[i]));
    // rings keep the order of the footprint: GeoJSON alone asks for one
    const sorted = (one: Read | undefined) =>
      shape(one)
        .match(/\[[-\d.]+,[-\d.]+\]/g)
        ?.sort();
    for (const i of [2, 3]) {
      expect(fgb[i]?.geometry?.type).toBe(geojson[i]?.geometry?.type);
      expect(sorted(fgb[i])).toEqual(sorted(geojson[i]));
    }
    expect(fgb.map(({ geometry }) => geometry === null)).toEqual(rows.map((_, i) => [7, 10, 11].includes(i)));
    expect(fgb[7]?.properties.geometry_omitted).toMatch(/curve/i);
    expect(fgb[3]?.properties).toMatchObject({
      work_key: 'file/4',
      fault_codes: 'self_intersection spike',
      attempts: 1,
    });
    expect(fgb[2]?.properties.error_text).toBe('=cmd|"x"\r\nü🗺');
    expect(gdal('ogrinfo', '-so', '-al', path.join(folder, 'all.fgb'))).toMatch(
      /WGS 84[\s\S]*attempts: Integer[\s\S]*failed_at: DateTime/,
    );
  });
});

/** Debian's GDAL cannot read Parquet: a reader of its own kind, the format's own metadata, and PostGIS for the WKB. */
describe('GeoParquet', () => {
  const bytesOf = async (name: string) => {
    const bytes = readFileSync(name);
    return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
  };

  test('says where its geometries are and what they are written in, and has a typed row an entry', async () => {
    const bytes = await bytesOf(await file('parquet'));
    const metadata = parquetMetadata(bytes);
    const geo = metadata.key_value_metadata?.find(({ key }) => key === 'geo')?.value ?? '';
    expect(JSON.parse(geo)).toEqual({
      version: '1.1.0',
      primary_column: 'geometry',
      columns: { geometry: { encoding: 'WKB', geometry_types: [], edges: 'planar' } },
    });
    expect(metadata.schema.slice(1).map(({ name }) => name)).toEqual([
      'geometry',
      ...EXPORT_COLUMNS,
      'geometry_omitted',
    ]);
    const read = await parquetReadObjects({ file: bytes, utf8: false, geoparquet: false });
    expect(read.map((row) => row.work_key)).toEqual(rows.map(({ work_key }) => work_key));
    expect(read[2]).toMatchObject({ error_text: '=cmd|"x"\r\nü🗺', attempts: 1, failed_at: expect.any(Date) });
    for (const [i, row] of read.entries()) {
      const shape = FOOTPRINTS[i + 1];
      const wkb = row.geometry ? Buffer.from(row.geometry as Uint8Array) : null;
      if (!shape || i === 7) expect(wkb).toBeNull();
      else
        expect(
          (await database.pool.query('select ST_AsBinary($1::geometry) = $2::bytea as same', [shape, wkb])).rows,
        ).toEqual([{ same: true }]);
    }
  });

  test('of nothing has the columns and no row', async () => {
    const pieces: Uint8Array[] = [];
    for await (const piece of exportParquet(ctx(), exportRows(ctx(), { task_name: ['absent'] }))) pieces.push(piece);
    const { buffer, byteOffset, byteLength } = Buffer.concat(pieces);
    const metadata = parquetMetadata(buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer);
    expect(Number(metadata.num_rows)).toBe(0);
  });
});

describe('an export in any format', () => {
  test('shows a viewer no place and no text of a sensitive entry', async () => {
    for (const format of ['geojson', 'csv', 'fgb'] as const) {
      const seen = readBack(await file(format, 'viewer'))[9];
      expect(seen?.properties).toMatchObject({ work_key: 'masked', error_text: 'masked' });
      expect(seen?.geometry).toBeNull();
    }
    const bytes = readFileSync(await file('parquet', 'viewer'));
    const point = Buffer.alloc(8);
    point.writeDoubleLE(-77.77);
    expect(bytes.includes(point)).toBe(false);
    expect(readFileSync(await file('parquet')).includes(point)).toBe(true);
  });

  test('ends its reading when the one who asked goes away, and makes no piece that nobody has asked for', async () => {
    const made: number[] = [];
    let ended = false;
    async function* pieces(): AsyncGenerator<Uint8Array> {
      try {
        for (let i = 0; ; i += 1) {
          made.push(i);
          yield new Uint8Array(100_000);
        }
      } finally {
        ended = true;
      }
    }
    const response = await exportResponse('fgb', pieces(), new Date());
    const reader = response.body?.getReader();
    await reader?.read();
    expect(made.length).toBeLessThan(4);
    await reader?.cancel();
    expect(ended).toBe(true);
  });
});
