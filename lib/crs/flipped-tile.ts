import type { ClaimFit } from './claim-fit';
import { degreesFromRegion, priorRegion } from './prior-region';
import type { Bbox } from './registry/registry';

/**
 * Whether the claim puts a geometry into its tile if the tile's row is counted from the south, as TMS does: such a tile lies
 * as far on the other side of the equator.
 */
export function liesInFlippedTile(fit: ClaimFit, tile: Bbox | null): boolean {
  if (!tile || fit.away === 0) return false;
  const [west, south, east, north] = tile;
  const flipped = priorRegion([west, -north, east, -south], 'tile');
  return flipped !== null && degreesFromRegion(flipped, fit.places) === 0;
}

export const FLIPPED_TILE = "the tile's row is counted from the south (TMS)";
