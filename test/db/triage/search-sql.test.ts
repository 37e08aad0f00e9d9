import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { matching, needsEntry } from '@/db/filter-sql';
import { idsMatching } from '@/db/queries/ids-matching';
import { type Filter, parseFilter } from '@/lib/contract/filter';
import { ROLES, type Role } from '@/lib/dead-letter/vocabulary';
import { cloneDatabase, type TestDatabase } from '@/test/support/database';
import { blankRow, insertRows, type Row } from './rows';
import { isFound, type SearchRow, someSearch, someSearchRows } from './search-model';

let database: TestDatabase;
let rows: SearchRow[];

beforeAll(async () => {
  database = await cloneDatabase();
  rows = fc.sample(someSearchRows(300), { numRuns: 1, seed: 11 })[0] ?? [];
  await insertRows(database.pool, rows);
});
afterAll(() => database?.drop());

async function found(filter: Filter, role: Role): Promise<number[]> {
  const entry = needsEntry(filter) ? sql`join dlq.entry e on e.id = s.entry_id` : sql``;
  const result = await database.db.execute<{ id: number }>(sql`
    select s.entry_id::integer as id from dlq.state s join dlq.combo c on c.id = s.combo ${entry}
    where ${matching(filter, role)} order by s.entry_id`);
  return result.rows.map(({ id }) => id);
}

let next_id = 1000;
/** Writes one more entry, and answers its id. */
async function entryWith(fields: Partial<Row>): Promise<number> {
  const id = next_id++;
  await insertRows(database.pool, [{ ...blankRow(id), ...fields, id: String(id) }]);
  return id;
}

describe('search in SQL', () => {
  test('agrees with the plain predicate for any conditions and role, as do the ids for the index', async () => {
    await fc.assert(
      fc.asyncProperty(someSearch, fc.constantFrom(...ROLES), async (given, role) => {
        const filter = parseFilter(given);
        const expected = rows.filter((row) => isFound(row, filter, role)).map(({ id }) => Number(id));
        expect(await found(filter, role)).toEqual(expected);
        expect([...(await idsMatching(database.db, filter, role)).ids]).toEqual(expected);
      }),
      { numRuns: 200 },
    );
  });

  test('never lets a viewer find a sensitive entry, by what it has or by what it has not', async () => {
    const fields: Partial<Row> = {
      error_text: 'plot of Jane Doe',
      params: { owner: 'Jane Doe' },
      source_uris: ['s3://jane/doe.tif'],
      footprint: 'POINT(-82.9 40)',
      valid: true,
    };
    const secret = await entryWith({ ...fields, sensitive: true });
    const open = await entryWith(fields);
    const conditions: Filter[] = [
      { q: 'jane' },
      { params: [{ path: 'owner', op: '=', value: 'Jane Doe' }] },
      { params: [{ path: 'owner', op: '!=', value: 'absent' }] },
      { params: [{ path: 'owner', op: 'exists' }] },
      { source_uri: ['s3://jane/*'] },
      { source_uri: ['!s3://absent'] },
      {
        polygon: [
          [-83, 39],
          [-82, 39],
          [-82, 41],
          [-83, 41],
        ],
      },
      { place: ['US-OH'] },
    ];
    for (const condition of conditions) {
      expect(await found(condition, 'operator'), JSON.stringify(condition)).toEqual(
        expect.arrayContaining([secret, open]),
      );
      const seen = await found(condition, 'viewer');
      expect(seen, JSON.stringify(condition)).toContain(open);
      expect(seen, JSON.stringify(condition)).not.toContain(secret);
    }
  });

  test('looks at the current payload alone', async () => {
    const id = await entryWith({ params: { v: 'old' }, source_uris: ['s3://old'] });
    await database.pool.query(
      `with p as (insert into dlq.payload (entry_id, payload_hash, params, source_uris) values ($1::bigint, 'edited', '{"v":"new"}', '{s3://new}'))
       update dlq.entry set payload_hash = 'edited' where id = $1::bigint`,
      [id],
    );
    expect(await found({ params: [{ path: 'v', op: '=', value: 'old' }] }, 'admin')).toEqual([]);
    expect(await found({ params: [{ path: 'v', op: '=', value: 'new' }] }, 'admin')).toEqual([id]);
    expect(await found({ source_uri: ['s3://old'] }, 'admin')).toEqual([]);
    expect(await found({ source_uri: ['s3://new'] }, 'admin')).toEqual([id]);
  });

  test('raises nothing for params that jsonb cannot hold, or whose numbers no double holds', async () => {
    const raw = await entryWith({ params: null, params_raw: '{"huge": "\\u0000"}' });
    const id = await entryWith({ error_text: 'huge' });
    await database.pool.query(
      `update dlq.entry set payload_hash = 'huge' where id = $1::bigint`.replace(
        'update',
        `with p as (insert into dlq.payload (entry_id, payload_hash, params)
        values ($1::bigint, 'huge', '{"huge": 1e5000, "tiny": -1e-5000}')) update`,
      ),
      [id],
    );
    expect(await found({ params: [{ path: 'huge', op: '>', value: 1e15 }] }, 'admin')).toEqual([id]);
    expect(await found({ params: [{ path: 'tiny', op: '<', value: 0 }] }, 'admin')).toEqual([id]);
    expect(await found({ params: [{ path: 'huge', op: '!=', value: 'a\0b' }] }, 'admin')).toContain(raw);
    for (const value of ['a\0b', '\ud800', '$.x'])
      for (const op of ['=', '<', '>='] as const)
        expect(await found({ params: [{ path: 'huge', op, value }] }, 'admin')).toEqual([]);
  });

  test('takes a polygon over the 180° meridian, and one that is as wide as the world', async () => {
    const east = await entryWith({ footprint: 'POINT(179 -70)', valid: true });
    const west = await entryWith({ footprint: 'POLYGON((-179 -70,-178 -70,-178 -71,-179 -70))', valid: true });
    const far = await entryWith({ footprint: 'POINT(0 -70)', valid: true });
    const both: Filter = {
      polygon: [
        [175, -72],
        [185, -72],
        [185, -69],
        [175, -69],
      ],
    };
    const turned: Filter = {
      polygon: [
        [-185, -72],
        [-175, -72],
        [-175, -69],
        [-185, -69],
      ],
    };
    const wide: Filter = {
      polygon: [
        [-180, -72],
        [0, -72],
        [180, -72],
        [180, -69],
        [0, -69],
        [-180, -69],
      ],
    };
    const new_ones = async (filter: Filter) => (await found(filter, 'admin')).filter((id) => id >= east);
    expect(await new_ones(both)).toEqual([east, west]);
    expect(await new_ones(turned)).toEqual([east, west]);
    expect(await new_ones(wide)).toEqual([east, west, far]);
  });

  test('is not stopped by footprints that GEOS refuses or takes for ever', async () => {
    const random = (seed: number) => (Math.sin(seed) * 10000) % 1;
    const ring = Array.from({ length: 2500 }, (_, i) => `${100 + random(i)} ${-60 + random(i + 0.5)}`);
    const scribble = `POLYGON((${[...ring, ring[0]].join(',')}))`;
    const circle = Array.from(
      { length: 2100 },
      (_, i) => [Math.cos((i / 2100) * 6.2832), Math.sin((i / 2100) * 6.2832)] as [number, number],
    );
    const round = (size: number) => circle.map(([x, y]) => `${100 + size * x} ${-45 + size * y}`);
    const ids = {
      scribble: await entryWith({ footprint: scribble, valid: false }),
      collected: await entryWith({ footprint: `GEOMETRYCOLLECTION(${scribble},POINT(100 -60))`, valid: null }),
      around: await entryWith({ footprint: `POLYGON((${[...round(2), round(2)[0]].join(',')}))`, valid: false }),
      with_hole: await entryWith({
        footprint: `POLYGON((${[...round(2), round(2)[0]].join(',')}),(${[...round(1), round(1)[0]].join(',')}))`,
        valid: false,
      }),
      bow_tie: await entryWith({ footprint: 'POLYGON((100 -50,101 -51,101 -50,100 -51,100 -50))', valid: false }),
    };
    const near = async (polygon: [number, number][]) =>
      (await found({ polygon }, 'admin')).filter((id) => id >= ids.scribble);
    expect(
      await near([
        [99, -62],
        [102, -62],
        [102, -58],
        [99, -58],
      ]),
    ).toEqual([ids.scribble, ids.collected]);
    // inside a ring of many vertices, none of its edges near; and in the hole of another
    expect(
      await near([
        [99.9, -45.1],
        [100.1, -45.1],
        [100.1, -44.9],
        [99.9, -44.9],
      ]),
    ).toEqual([ids.around]);
    expect(
      await near([
        [100.9, -50.5],
        [100.95, -50.55],
        [100.95, -50.45],
      ]),
    ).toEqual([ids.bow_tie]);
  });

  test('finds what touches a country or a region, and names places like one that is unknown', async () => {
    const columbus = await entryWith({ footprint: 'POINT(-82.99 39.96)', valid: true });
    const lyon = await entryWith({ footprint: 'POINT(4.84 45.76)', valid: true });
    const over_the_border = await entryWith({ footprint: 'LINESTRING(-86 40,-82.99 39.96)', valid: true });
    const new_ones = async (...place: string[]) => (await found({ place }, 'admin')).filter((id) => id >= columbus);
    expect(await new_ones('US-OH')).toEqual([columbus, over_the_border]);
    expect(await new_ones('US-IN')).toEqual([over_the_border]);
    expect(await new_ones('US-OH', 'FR')).toEqual([columbus, lyon, over_the_border]);
    await expect(found({ place: ['US-OX'] }, 'admin')).rejects.toThrow(
      /no country or region has the code “US-OX”; near it: US .*US-OH \(Ohio\)/,
    );
  });

  test('looks for words in both ends of a long traceback', async () => {
    const middle = 'x'.repeat(3000);
    const id = await entryWith({ traceback: `first frame\n${middle}\nburied\n${middle}\nlast frame` });
    expect(await found({ q: '"first frame" "last frame"' }, 'admin')).toEqual([id]);
    expect(await found({ q: 'buried' }, 'admin')).toEqual([]);
  });

  test('asks its indexes', async () => {
    const plan = (filter: Filter) =>
      database.db.transaction(async (tx) => {
        // on so few rows a look-up of every entry's row is as good
        for (const way of ['seqscan', 'indexscan', 'indexonlyscan', 'nestloop', 'mergejoin'])
          await tx.execute(sql.raw(`set local enable_${way} = off`));
        const { rows } =
          await tx.execute(sql`explain select s.entry_id from dlq.state s join dlq.combo c on c.id = s.combo
          where ${matching(filter, 'viewer')}`);
        return JSON.stringify(rows);
      });
    expect(await plan({ q: 'side "at 5"' })).toMatch(/entry_text/);
    expect(await plan({ params: [{ path: 'tile.zoom', op: 'in', value: [1, 'x'] }] })).toMatch(/payload_params/);
    expect(await plan({ params: [{ path: 'bands[0]', op: '=', value: 1 }] })).toMatch(/payload_params/);
    expect(await plan({ source_uri: ['s3://a/b.tif'] })).toMatch(/payload_sources/);
    expect(await plan({ source_uri: ['s3://a/b*'] })).toMatch(/payload_sources/);
    expect(await plan({ place: ['US', 'CA'] })).toMatch(/diagnosis_footprint/);
  });

  test('counts no further than it was told to, and says so', async () => {
    const all = (await found({ q: 'e' }, 'admin')).length;
    const some = await idsMatching(database.db, { q: 'e' }, 'admin', 5);
    expect([some.ids.length, some.capped]).toEqual([5, true]);
    const every = await idsMatching(database.db, { q: 'e' }, 'admin', all);
    expect([every.ids.length, every.capped]).toEqual([all, false]);
  });

  test('finds words without the index where the extension is not there, and with it again once it came', async () => {
    const before = await found({ q: 'side' }, 'admin');
    await database.pool.query('drop extension pg_trgm cascade');
    expect(await found({ q: 'side' }, 'admin')).toEqual(before);
    await database.pool.query('select dlq.index_text()');
    const { rows: indexes } = await database.pool.query(`select 1 from pg_indexes where indexname = 'entry_text'`);
    expect(indexes).toHaveLength(1);
  });
});
