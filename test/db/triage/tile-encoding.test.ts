import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cellsTile } from '@/db/queries/cells-tile';
import { pointsTile } from '@/db/queries/points-tile';
import { FAILURE_CLASSES } from '@/lib/dead-letter/vocabulary';
import type { CellCount, TilePoint } from '@/lib/index/answers';
import { cellsLayer } from '@/lib/triage/mvt/cells-layer';
import { pointsLayer } from '@/lib/triage/mvt/points-layer';
import { cloneDatabase, type TestDatabase } from '@/test/support/database';
import { decodeMvt } from '@/test/support/decode-mvt';
import { blankRow, insertRows } from './rows';

let database: TestDatabase;
const OTHERS = ['a class of "theirs"; 🗺', 'timeout'];

/** Spread so that cells hold one to some hundred entries, and many of them the same number. */
const rows = Array.from({ length: 700 }, (_, i) => ({
  ...blankRow(i + 1),
  failure_class: [...FAILURE_CLASSES, ...OTHERS][(i * i) % 7]!,
  state: (['open', 'in_doubt', 'quarantined'] as const)[i % 3]!,
  reopen_count: i % 11 === 0 ? i : 0,
  failed_at: `2026-11-${String(10 + (i % 5)).padStart(2, '0')}T10:00:00.${String((i * 7919) % 1_000_000).padStart(6, '0')}Z`,
  at: [((i * 37) % 360) / (1 + (i % 9) ** 3) - 80, ((i * 17) % 170) / (1 + (i % 9) ** 3) - 40] as [number, number],
}));

beforeAll(async () => {
  database = await cloneDatabase();
  await insertRows(database.pool, rows);
});
afterAll(() => database?.drop());

/** The entries of a tile, newest first, without anything that a tile is made by. */
async function entriesOf(z: number, x: number, y: number): Promise<TilePoint[]> {
  const { rows: found } = await database.pool.query<TilePoint>(
    `select s.entry_id::float8 as entry_id, s.cell::float8 as cell, c.failure_class, s.reopen_count > 0 as reopened, s.state
      from dlq.state s join dlq.combo c on c.id = s.combo
      where s.cell is not null and s.state <> 'resolved' order by s.failed_at desc, s.entry_id desc`,
  );
  return found.filter(({ cell }) => {
    const [col, row] = apart(cell);
    return Math.floor(col / 2 ** (26 - z)) === x && Math.floor(row / 2 ** (26 - z)) === y;
  });
}

/** Column and row of a z-order cell, bit by bit. */
function apart(cell: number): [col: number, row: number] {
  const bits = BigInt(cell).toString(2).padStart(52, '0');
  const every = (from: number) => Number.parseInt([...bits].filter((_, i) => i % 2 === from).join(''), 2);
  return [every(1), every(0)];
}

function counted(entries: TilePoint[], z: number): CellCount[] {
  const groups = new Map<string, TilePoint[]>();
  for (const entry of entries) {
    const at = apart(entry.cell)
      .map((n) => Math.floor(n / 2 ** (21 - z)))
      .join('/');
    groups.set(at, [...(groups.get(at) ?? []), entry]);
  }
  return [...groups].map(([at, members]) => {
    const [col = 0, row = 0] = at.split('/').map(Number);
    const of = (word: string) => members.filter(({ failure_class }) => failure_class === word).length;
    const classes = Uint32Array.from(FAILURE_CLASSES, of);
    const known = classes.reduce((sum, count) => sum + count, 0);
    const reopened = members.filter((member) => member.reopened).length;
    return { col, row, total: members.length, classes, other: members.length - known, reopened };
  });
}

describe('a tile that is encoded from counts', () => {
  test.each([0, 1, 4, 9, 11])('holds the cells of zoom %i as the database encodes them', async (z) => {
    const at = (cell: number) => apart(cell).map((n) => Math.floor(n / 2 ** (26 - z)));
    const tiles = new Map((await entriesOf(0, 0, 0)).map(({ cell }) => [at(cell).join('/'), at(cell)]));
    let cells = 0;
    for (const [x = 0, y = 0] of [...tiles.values()].slice(0, 12)) {
      const wanted = decodeMvt(await cellsTile(database.db, { z, x, y }, {}, 'operator'));
      cells += wanted.cells?.features.length ?? 0;
      expect(decodeMvt(cellsLayer(counted(await entriesOf(z, x, y), z), { z, x, y }))).toEqual(wanted);
    }
    expect(cells).toBeGreaterThan(10);
  });

  test('holds points as the database encodes them, at every zoom', async () => {
    const [first] = (await entriesOf(0, 0, 0)).filter(
      ({ cell }, i, all) => all.findIndex((one) => one.cell === cell) < i,
    );
    const [col, row] = apart(first?.cell ?? 0);
    for (let z = 12; z <= 22; z += 1) {
      const address = { z, x: Math.floor(col / 2 ** (26 - z)), y: Math.floor(row / 2 ** (26 - z)) };
      const wanted = decodeMvt(await pointsTile(database.db, address, {}, 'operator'));
      expect(wanted.points?.features.length).toBeGreaterThan(1);
      expect(decodeMvt(pointsLayer(await entriesOf(z, address.x, address.y), address))).toEqual(wanted);
    }
  });

  test('is as empty as the database’s where nothing lies', async () => {
    expect(await cellsTile(database.db, { z: 8, x: 0, y: 0 }, {}, 'operator')).toHaveLength(0);
    expect(await pointsTile(database.db, { z: 12, x: 0, y: 0 }, {}, 'operator')).toHaveLength(0);
    expect(cellsLayer([], { z: 8, x: 0, y: 0 })).toHaveLength(0);
    expect(pointsLayer([], { z: 12, x: 0, y: 0 })).toHaveLength(0);
  });
});
