import { CELL_ZOOM_OFFSET, TILE_LAYERS } from '@/lib/contract/triage';
import { FAILURE_CLASSES } from '@/lib/dead-letter/vocabulary';
import type { CellCount, TileAddress } from '@/lib/index/answers';
import { EXTENT, PointLayer } from './point-layer';

const SIDE = 2 ** CELL_ZOOM_OFFSET;
const UNITS = EXTENT / SIDE;

/** The layer of counted cells of a tile, as MVT bytes; the largest last (drawn on top). Classes that a cell has not are left out. */
export function cellsLayer(cells: readonly CellCount[], { z, x, y }: TileAddress): Uint8Array {
  const layer = new PointLayer(TILE_LAYERS.cells);
  for (const cell of cells.toSorted((a, b) => a.total - b.total || a.col - b.col || a.row - b.row)) {
    const { col, row, total, classes, other, reopened } = cell;
    layer.tag('total', total);
    for (let i = 0; i < FAILURE_CLASSES.length; i += 1) {
      const count = classes[i];
      if (count) layer.tag(FAILURE_CLASSES[i]!, count);
    }
    if (other) layer.tag('other', other);
    layer.tag('reopened', reopened);
    layer.tag('cell', `${z + CELL_ZOOM_OFFSET}/${col}/${row}`);
    layer.add(null, (col - x * SIDE + 0.5) * UNITS, (row - y * SIDE + 0.5) * UNITS);
  }
  return layer.bytes();
}
