import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDb } from '@/db/client';
import { displacementSchema } from '@/lib/contract/displacement';
import { filterFromSearch } from '@/lib/contract/filter';
import { fromLonLat, toLonLat } from '@/lib/crs/place';
import { allCrs } from '@/lib/crs/registry/registry';
import type { Role } from '@/lib/dead-letter/vocabulary';
import { displacement, SAMPLE_LIMIT } from '@/lib/triage/displacement';
import { list } from '@/lib/triage/list';
import { cloneDatabase, type TestDatabase } from '@/test/support/database';
import { blankRow, insertRows, type Row } from './rows';

let database: TestDatabase;
const ctxOf = (role: Role) => ({ db: createDb(database.pool), actor: { name: 'someone', role } });
const Z = 12;
const N = 2 ** Z;
const ORDER = { sort: 'failed_at', dir: 'desc', limit: 1, cursor: null } as const;

/** An entry of the true place, landing elsewhere; with the tile of the true place. */
type Placed = Row & { tile: [z: number, x: number, y: number] | null; suggestion?: string };
const tileOf = (lon: number, lat: number): [number, number, number] => [
  Z,
  Math.floor(((lon + 180) / 360) * N),
  Math.floor((0.5 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / (2 * Math.PI)) * N),
];

async function insertPlaced(rows: readonly Placed[]): Promise<void> {
  await insertRows(database.pool, rows);
  const client = await database.pool.connect();
  try {
    // evidence is immutable, and the rows were written without tiles
    await client.query('set session_replication_role = replica');
    await client.query(
      `with r as (select * from jsonb_to_recordset($1::jsonb) as r(id bigint, tile jsonb, suggestion text)),
        p as (update dlq.payload p set tile_z = (r.tile ->> 0)::smallint, tile_x = (r.tile ->> 1)::integer, tile_y = (r.tile ->> 2)::integer
          from r where p.entry_id = r.id returning p.entry_id, p.payload_hash),
        d as (update dlq.diagnosis d set payload_hash = e.payload_hash, suggestion = to_jsonb(r.suggestion), diagnosed_at = now()
          from r join dlq.entry e on e.id = r.id where d.entry_id = r.id)
      update dlq.state s set tile_distance_m = 1000 from r where s.entry_id = r.id and s.cell is not null and r.tile <> 'null'::jsonb`,
      [JSON.stringify(rows.map(({ id, tile, suggestion }) => ({ id, tile, suggestion: suggestion ?? null })))],
    );
  } finally {
    client.release(true);
  }
}

const ohio = (i: number): [number, number] => [-84.5 + (i % 10) * 0.3, 39 + Math.floor(i / 10) * 0.3];
const plane = allCrs().find(({ id }) => id === 'EPSG:32123');

beforeAll(async () => {
  database = await cloneDatabase();
  if (!plane) throw new Error('EPSG:32123 is not in the registry');
  const swapped = Array.from({ length: 30 }, (_, i): Placed => {
    const [lon, lat] = ohio(i);
    return {
      ...blankRow(i + 1),
      failure_class: 'crs_mismatch',
      at: [lat, lon],
      tile: tileOf(lon, lat),
      crs_verdict: 'axis_swapped',
    };
  });
  const feet = Array.from({ length: 20 }, (_, i): Placed => {
    const [lon, lat] = ohio(i);
    const [x, y] = fromLonLat(plane, lon, lat) ?? [0, 0];
    const at = toLonLat(plane, x / 0.3048, y / 0.3048);
    const base = {
      ...blankRow(i + 101),
      failure_class: 'crs_mismatch',
      src_crs: 'EPSG:32123',
      crs_verdict: 'wrong_unit',
    };
    return { ...base, at, tile: tileOf(lon, lat), suggestion: i < 15 ? 'EPSG:3734' : 'ESRI:102723' };
  });
  const well = Array.from({ length: 10 }, (_, i): Placed => {
    const [lon, lat] = ohio(i);
    return { ...blankRow(i + 201), src_crs: null, at: [lon, lat], tile: tileOf(lon, lat) };
  });
  const others: Placed[] = [
    { ...blankRow(301), task_name: 'no_tile', tile: null },
    { ...blankRow(302), task_name: 'no_place', at: null, unmappable_reason: 'no_crs', tile: [4, 1, 1] },
    { ...blankRow(303), task_name: 'resolved', state: 'resolved', tile: [4, 1, 1] },
    { ...blankRow(304), task_name: 'secret', sensitive: true, tile: tileOf(-80, 40) },
    { ...blankRow(305), task_name: '!odd', tile: tileOf(-80, 40) },
  ];
  await insertPlaced([...swapped, ...feet, ...well, ...others]);
});
afterAll(() => database?.drop());

describe('displacement', () => {
  test('every class, task and claim has its sentence, the largest first, with what the diagnosis says', async () => {
    const answer = displacementSchema.parse(await displacement(ctxOf('operator'), { filter: {} }));
    expect(answer).toMatchObject({ total: 62, sampled: 62, sample_limit: SAMPLE_LIMIT, group_count: 5 });
    expect(answer.groups.slice(0, 3)).toMatchObject([
      {
        src_crs: 'EPSG:4326',
        count: 30,
        sampled: 30,
        in_tile: 0,
        sentence: 'mirrored: axis swap',
        crs_verdict: 'axis_swapped',
        suggestion: null,
      },
      {
        src_crs: 'EPSG:32123',
        count: 20,
        sentence: 'scaled by 0.3048 in EPSG:32123: feet read as metres',
        crs_verdict: 'wrong_unit',
        suggestion: 'EPSG:3734',
      },
      { src_crs: null, count: 10, in_tile: 10, kind: 'in_tiles', bearing: null },
    ]);
    const [first] = answer.groups;
    expect(first?.from?.[0]).toBeCloseTo(39.3, 1);
    expect(first?.to?.[1]).toBeCloseTo(39.3, 1);
    expect(first?.distance_m).toBeGreaterThan(1e7);
  });

  test("a group's filter finds as many as it counts, and the asked filter stays in it", async () => {
    const asked = { bbox: [-180, -90, 180, 90] as [number, number, number, number] };
    for (const role of ['operator', 'viewer'] as const)
      for (const group of (await displacement(ctxOf(role), { filter: asked })).groups) {
        if (group.filter === null) continue;
        const filter = filterFromSearch(new URLSearchParams(group.filter));
        expect(filter.bbox).toEqual(asked.bbox);
        const { items } = await list(ctxOf(role), { ...ORDER, limit: 100, filter });
        expect(items, group.task_name).toHaveLength(group.count);
      }
  });

  test('what no filter can say has none', async () => {
    const { groups } = await displacement(ctxOf('operator'), { filter: { task_name: ['!x'] } });
    expect(groups.find(({ task_name }) => task_name === '!odd')?.filter).toBeNull();
  });

  test('the filter narrows it, down to nothing', async () => {
    const of = async (search: string) =>
      displacement(ctxOf('operator'), { filter: filterFromSearch(new URLSearchParams(search)) });
    expect((await of('crs_verdict=wrong_unit')).groups).toHaveLength(1);
    expect((await of('work_key=key-10')).total).toBe(10);
    expect(await of('task_name=nobody')).toMatchObject({ total: 0, sampled: 0, group_count: 0, groups: [] });
    expect((await of('state=any')).groups.map(({ task_name }) => task_name)).toContain('resolved');
  });

  test('a viewer is told nothing of what a sensitive entry lies by', async () => {
    const tasks = async (role: Role) =>
      (await displacement(ctxOf(role), { filter: {} })).groups.map((group) => group.task_name);
    expect(await tasks('operator')).toContain('secret');
    expect(await tasks('viewer')).not.toContain('secret');
  });

  test('a viewer of a coarse place is not told the distance from the true one', async () => {
    await database.pool.query(
      `update dlq.state set public_cell = dlq.cell_of(-84, 39.1), tile_distance_m = 0, version = version + 1 where entry_id between 201 and 210`,
    );
    const kind = async (role: Role) =>
      (await displacement(ctxOf(role), { filter: { src_crs: ['∅'] } })).groups.map((group) => group.in_tile);
    expect(await kind('operator')).toEqual([10]);
    expect((await kind('viewer'))[0]).toBeLessThan(10);
  });
});

test('of more than the sample holds the newest are looked at, and the groups beyond them are still counted', async () => {
  const many = Array.from({ length: SAMPLE_LIMIT + 50 }, (_, i): Placed => {
    const [lon, lat] = ohio(i % 100);
    return {
      ...blankRow(1000 + i),
      task_name: 'many',
      failed_at: '2026-11-25T10:00:00Z',
      at: [lat, lon],
      tile: tileOf(lon, lat),
    };
  });
  await insertPlaced(many);
  for (const filter of [{}, { queue: ['default'] }]) {
    const answer = await displacement(ctxOf('operator'), { filter });
    expect(answer).toMatchObject({ total: 62 + SAMPLE_LIMIT + 50, sampled: SAMPLE_LIMIT });
    expect(answer.groups[0]).toMatchObject({
      task_name: 'many',
      count: SAMPLE_LIMIT + 50,
      sampled: SAMPLE_LIMIT,
      kind: 'swapped',
    });
    expect(answer.groups[1]).toMatchObject({
      count: 30,
      sampled: 0,
      kind: null,
      from: null,
      sentence: 'none among the 4,000 newest',
    });
  }
});
