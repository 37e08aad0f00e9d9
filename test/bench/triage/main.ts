import { sql } from 'drizzle-orm';
import type pg from 'pg';
import { createDb, type Db } from '@/db/client';
import type { Filter } from '@/lib/contract/filter';
import { list } from '@/lib/triage/list';
import { tile } from '@/lib/triage/tile';
import { triage } from '@/lib/triage/triage';
import { generateEntries } from '@/test/bench/generate/entries';
import { less, type Row } from '../row';

const FILTERS: Record<string, Filter> = {
  none: {},
  'class and state': { failure_class: ['crs_mismatch'], state: ['open'] },
  'several and 30 days': {
    failure_class: ['crs_mismatch', 'invalid_geometry'],
    task_name: ['task_0', 'task_1', 'task_2'],
    since: '2026-10-15T00:00:00Z',
    until: '2026-11-14T00:00:00Z',
  },
  bbox: { bbox: [-85, 38, -80, 42] },
};

const ZOOMS = [0, 4, 8, 12, 13];

/**
 * Times the triage answer, a list page and tiles over `count` generated entries, each beside what plain SQL over the
 * tables takes: one GROUP BY a facet plus an unbounded page; ST_AsMVT with a
 * feature an entry (its place up to zoom 12, its outline beyond).
 */
export async function benchTriage(pool: pg.Pool, count: number): Promise<Row[]> {
  const db = createDb(pool);
  await generateEntries(pool, count);
  const ctx = { db, actor: { name: 'bench', role: 'operator' as const } };
  const order = { sort: 'failed_at', dir: 'desc', limit: 100, cursor: null } as const;
  const rows: Row[] = [];
  for (const [name, filter] of Object.entries(FILTERS))
    rows.push(
      row(
        `triage answer, ${name}, ${count} entries`,
        await p95(() => triage(ctx, { filter, ...order })),
        await p95(() => plainFacets(db, name), 3),
      ),
    );
  rows.push(row(`list page, none, ${count} entries`, await p95(() => list(ctx, { filter: {}, ...order })), null));
  for (const z of ZOOMS) {
    const address = await densestTile(db, z);
    const name = `tile ${address.z}/${address.x}/${address.y}, ${count} entries`;
    const ours = await p95(() => tile(ctx, { ...address, filter: {}, known: [] }));
    const theirs = await p95(() => plainTile(db, address), 3);
    rows.push(row(name, ours, theirs));
    const { mvt } = await tile(ctx, { ...address, filter: {}, known: [] });
    const plain_bytes = await plainTile(db, address);
    const bytes = mvt?.length ?? 0;
    rows.push(less(`${name}, size`, bytes, 'bytes', plain_bytes));
  }
  return rows;
}

/** What a page without a plan does: a GROUP BY over the wide table for each of ten facets, then the list. */
async function plainFacets(db: Db, name: string): Promise<void> {
  const where = {
    none: sql`s.state <> 'resolved'`,
    'class and state': sql`s.state = 'open' and e.failure_class = 'crs_mismatch'`,
    'several and 30 days': sql`s.state <> 'resolved' and e.failure_class in ('crs_mismatch', 'invalid_geometry')
      and e.task_name in ('task_0', 'task_1', 'task_2') and e.failed_at >= '2026-10-15' and e.failed_at < '2026-11-14'`,
    bbox: sql`s.state <> 'resolved' and d.footprint && ST_MakeEnvelope(-85, 38, -80, 42, 4326)`,
  }[name];
  const from = sql`from dlq.entry e join dlq.state s on s.entry_id = e.id join dlq.payload p on p.entry_id = e.id
    join dlq.diagnosis d on d.entry_id = e.id where ${where}`;
  for (const column of [
    'e.failure_class',
    'e.error_class',
    'd.crs_verdict',
    'p.src_crs',
    'p.srid',
    'e.task_name',
    's.state',
    'e.code_version',
    'e.signature',
    'e.queue',
  ])
    await db.execute(sql`select ${sql.raw(column)}, count(*) ${from} group by 1`);
  await db.execute(sql`select date_trunc('day', e.failed_at), e.failure_class, count(*) ${from} group by 1, 2`);
  await db.execute(
    sql`select e.id, e.work_key, left(e.error_text, 300) ${from} order by e.failed_at desc, e.id desc limit 100`,
  );
}

/** The tile of a zoom with the most entries. */
async function densestTile(db: Db, z: number): Promise<{ z: number; x: number; y: number }> {
  const { rows } = await db.execute<{ x: number; y: number }>(sql`
    select dlq.gather_bits(k)::integer as x, dlq.gather_bits(k >> 1)::integer as y
    from (select s.cell >> ${2 * (26 - z)}::integer as k from dlq.state s where s.cell is not null group by 1 order by count(*) desc, 1 limit 1) t`);
  const { x = 0, y = 0 } = rows[0] ?? {};
  return { z, x, y };
}

/** One feature an entry over the table; answers the tile's bytes. */
async function plainTile(db: Db, { z, x, y }: { z: number; x: number; y: number }): Promise<number> {
  const bounds = sql`ST_TileEnvelope(${z}::integer, ${x}::integer, ${y}::integer)`;
  const { rows } = await db.execute<{ mvt: Buffer }>(sql`
    select ST_AsMVT(t, 'entries') as mvt from (
      select ST_AsMVTGeom(${z > 12 ? sql`d.outline` : sql`ST_Centroid(d.outline)`}, ${bounds}, 4096, 64) as geom, e.id::text as id, e.failure_class, s.state
      from dlq.diagnosis d join dlq.entry e on e.id = d.entry_id join dlq.state s on s.entry_id = e.id
      where d.outline && ${bounds} and s.state <> 'resolved') t`);
  return rows[0]?.mvt.length ?? 0;
}

/** Milliseconds under which 95 % of the runs stay; the first run warms up. */
async function p95(work: () => Promise<unknown>, runs = 9): Promise<number> {
  await work();
  const times: number[] = [];
  for (let run = 0; run < runs; run++) {
    const started = performance.now();
    await work();
    times.push(performance.now() - started);
  }
  times.sort((a, b) => a - b);
  return times[Math.ceil(times.length * 0.95) - 1] ?? 0;
}

const row = (name: string, value: number, baseline: number | null): Row => less(name, value, 'ms p95', baseline);
