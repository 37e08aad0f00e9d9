import { TILE_LAYERS } from '@/lib/contract/triage';
import type { TileAddress, TilePoint } from '@/lib/index/answers';
import { CELL_BITS } from '@/lib/index/z-order';
import { EXTENT, PointLayer } from './point-layer';

/** The layer of entries as points, as MVT bytes. @param points newest first; the newest is written last (drawn on top). */
export function pointsLayer(points: readonly TilePoint[], { z }: TileAddress): Uint8Array {
  const layer = new PointLayer(TILE_LAYERS.points);
  // a tile is a range of cells that begins at a multiple of its length: the rest is the place within it
  const cells = 2 ** (CELL_BITS - z);
  const units = EXTENT / cells;
  for (let i = points.length - 1; i >= 0; i -= 1) {
    const { entry_id, cell, failure_class, reopened, state } = points[i]!;
    const place = cell % (cells * cells);
    layer.tag('failure_class', failure_class);
    layer.tag('reopened', reopened ? 1 : 0);
    layer.tag('state', state);
    layer.add(entry_id, Math.floor((evenBits(place) + 0.5) * units), Math.floor((evenBits(place / 2) + 0.5) * units));
  }
  return layer.bytes();
}

/** Every second bit of the lower 32, from the lowest. Enough from zoom 10 on, where a tile has 2^32 cells. */
function evenBits(place: number): number {
  let v = place & 0x55555555;
  v = (v | (v >>> 1)) & 0x33333333;
  v = (v | (v >>> 2)) & 0x0f0f0f0f;
  v = (v | (v >>> 4)) & 0x00ff00ff;
  return (v | (v >>> 8)) & 0xffff;
}
