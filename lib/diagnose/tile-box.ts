import type { Bbox } from '@/lib/crs/registry/registry';
import { tileBbox } from '@/lib/crs/web-mercator';

export interface TileOfEntry {
  tile_z: number | null;
  tile_x: number | null;
  tile_y: number | null;
  tile_matrix_set: string | null;
}

const MAX_ZOOM = 30;

/** The footprint of an entry's tile in degrees; null where it names none, or one of another grid than the web's. */
export function tileBox({ tile_z, tile_x, tile_y, tile_matrix_set }: TileOfEntry): Bbox | null {
  if (tile_z === null || tile_x === null || tile_y === null) return null;
  if ((tile_matrix_set ?? 'WebMercatorQuad') !== 'WebMercatorQuad') return null;
  const across = 2 ** tile_z;
  const is_tile = (n: number) => n >= 0 && n < across;
  if (tile_z < 0 || tile_z > MAX_ZOOM || !is_tile(tile_x) || !is_tile(tile_y)) return null;
  return tileBbox({ z: tile_z, x: tile_x, y: tile_y });
}
