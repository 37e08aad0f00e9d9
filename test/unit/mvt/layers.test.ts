import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FAILURE_CLASSES, STATES } from '@/lib/dead-letter/vocabulary';
import type { CellCount, TilePoint } from '@/lib/index/answers';
import { cellAt } from '@/lib/index/z-order';
import { cellsLayer } from '@/lib/triage/mvt/cells-layer';
import { PointLayer } from '@/lib/triage/mvt/point-layer';
import { pointsLayer } from '@/lib/triage/mvt/points-layer';
import { decodeMvt } from '@/test/support/decode-mvt';

/** Mostly none or one, so that cells often have the same total. */
const count = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 1 }) },
  fc.integer({ min: 0, max: 10_000_000 }),
);
const addressOf = (from: number, to: number) =>
  fc.integer({ min: from, max: to }).chain((z) => {
    const place = fc.integer({ min: 0, max: 2 ** z - 1 });
    return fc.record({ z: fc.constant(z), x: place, y: place });
  });

describe('the layer of cells', () => {
  const tile = addressOf(0, 11).chain((address) => {
    const cell = fc
      .record({
        at: fc.integer({ min: 0, max: 1023 }),
        classes: fc.array(count, { minLength: FAILURE_CLASSES.length, maxLength: FAILURE_CLASSES.length }),
        other: count,
        reopened: count,
      })
      .map(
        ({ at, classes, other, reopened }): CellCount => ({
          col: address.x * 32 + (at % 32),
          row: address.y * 32 + Math.floor(at / 32),
          total: classes.reduce((sum, each) => sum + each, other),
          classes: Uint32Array.from(classes),
          other,
          reopened,
        }),
      );
    const cells = fc.uniqueArray(cell, { maxLength: 60, selector: ({ col, row }) => `${col}/${row}` });
    return fc.record({ address: fc.constant(address), cells });
  });

  test('reads back as what was counted, the largest last, each in the middle of its square', () => {
    fc.assert(
      fc.property(tile, ({ address, cells }) => {
        const bytes = cellsLayer(cells, address);
        const { cells: layer, ...others } = decodeMvt(bytes);
        expect(others).toEqual({});
        const sorted = cells.toSorted((a, b) => a.total - b.total || a.col - b.col || a.row - b.row);
        if (layer) expect(layer).toMatchObject({ extent: 4096, version: 2 });
        expect(layer?.features ?? []).toEqual(
          sorted.map(({ col, row, total, classes, other, reopened }) => ({
            id: undefined,
            type: 1,
            properties: {
              total,
              ...Object.fromEntries(FAILURE_CLASSES.map((word, i) => [word, classes[i]]).filter(([, n]) => n)),
              ...(other ? { other } : {}),
              reopened,
              cell: `${address.z + 5}/${col}/${row}`,
            },
            rings: [[[(col - address.x * 32) * 128 + 64, (row - address.y * 32) * 128 + 64]]],
          })),
        );
      }),
      { numRuns: 200 },
    );
  });

  test('stays below 100 kB where ten million entries of every class fill all 1,024 cells', () => {
    const cells = Array.from({ length: 1024 }, (_, i): CellCount => {
      const classes = Uint32Array.from(FAILURE_CLASSES, (__, c) => 1 + ((i * 7919 + c * 104_729) % 3_200));
      const other = 1 + ((i * 31) % 700);
      const total = classes.reduce((sum, each) => sum + each, other);
      return { col: 65_504 + (i % 32), row: 65_504 + Math.floor(i / 32), total, classes, other, reopened: i % 997 };
    });
    expect(cells.reduce((sum, { total }) => sum + total, 0)).toBeGreaterThan(8_000_000);
    expect(cellsLayer(cells, { z: 11, x: 2047, y: 2047 }).length).toBeLessThan(100_000);
  });
});

describe('the layer of points', () => {
  const tile = addressOf(12, 22).chain(({ z, x, y }) => {
    const side = 2 ** (26 - z);
    const within = fc.integer({ min: 0, max: side - 1 });
    const point = fc.record({
      entry_id: fc.integer({ min: 1, max: 2 ** 32 - 1 }),
      place: fc.tuple(within, within),
      failure_class: fc.oneof(fc.constantFrom(...FAILURE_CLASSES), fc.string()),
      reopened: fc.boolean(),
      state: fc.constantFrom(...STATES),
    });
    return fc.record({ address: fc.constant({ z, x, y }), side: fc.constant(side), points: fc.array(point) });
  });

  test('reads back as the entries by id, the newest last, each where its cell lies', () => {
    fc.assert(
      fc.property(tile, ({ address, side, points }) => {
        const bytes = pointsLayer(
          points.map(
            ({ place: [x, y], ...rest }): TilePoint => ({
              ...rest,
              cell: Number(cellAt(address.x * side + x, address.y * side + y)),
            }),
          ),
          address,
        );
        expect(decodeMvt(bytes).points?.features ?? []).toEqual(
          points.toReversed().map(({ entry_id, place: [x, y], failure_class, reopened, state }) => ({
            id: entry_id,
            type: 1,
            properties: { failure_class, reopened: Number(reopened), state },
            rings: [[[Math.floor(((x + 0.5) * 4096) / side), Math.floor(((y + 0.5) * 4096) / side)]]],
          })),
        );
      }),
      { numRuns: 200 },
    );
  });

  test('stays below 100 kB with as many points as a tile may have', () => {
    const points = Array.from({ length: 4_000 }, (_, i) => ({
      entry_id: 2 ** 28 - 1 - i,
      cell: 2 ** 28 - 1 - i,
      failure_class: FAILURE_CLASSES[i % 5]!,
      reopened: i % 2 === 0,
      state: STATES[i % STATES.length]!,
    }));
    expect(pointsLayer(points, { z: 12, x: 0, y: 0 }).length).toBeLessThan(100_000);
  });
});

test('a layer says a key or a value once, however many features have it, and takes places outside the tile', () => {
  const layer = new PointLayer('few');
  for (const x of [-64, 4160]) {
    layer.tag('word', 'the same long text of two features');
    layer.add(null, x, 0);
  }
  const bytes = layer.bytes();
  expect(Buffer.from(bytes).toString('latin1').split('the same long text')).toHaveLength(2);
  expect(decodeMvt(bytes).few?.features.map(({ rings }) => rings)).toEqual([[[[-64, 0]]], [[[4160, 0]]]]);
});
