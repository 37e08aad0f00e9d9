import { findByEnvelope } from '@/lib/crs/candidate-index';
import { degreesFrom } from '@/lib/crs/geo-box';
import { hypothesis, placeUnder } from '@/lib/crs/hypothesis';
import { priorRegion } from '@/lib/crs/prior-region';
import type { Bbox } from '@/lib/crs/registry/registry';
import { type LonLat, metresBetween } from '@/lib/crs/sphere';

export interface Choice {
  place: LonLat;
}

const MAX_TRIED = 400;
const SLACK = 0.05;
const SAME_M = 500;

/**
 * The baseline: no claim, no relation; every CRS whose envelope holds the numbers and which puts them into the tile,
 * the smallest area of use first, half a power of ten off for swapped axes.
 */
export function naiveChoices([x, y]: readonly [number, number], tile: Bbox | null): Choice[] {
  const found = findByEnvelope(x, y, priorRegion(tile, 'tile'), 1).slice(0, MAX_TRIED);
  found.sort((a, b) => a.log_area + (a.swapped ? 0.5 : 0) - b.log_area - (b.swapped ? 0.5 : 0));
  const choices: Choice[] = [];
  for (const { record, swapped } of found) {
    const place = placeUnder(hypothesis(record, null, 0, { swapped }), [x, y]);
    if (!place || (tile && degreesFrom(tile, place) > SLACK)) continue;
    if (choices.every((choice) => metresBetween(choice.place, place) > SAME_M)) choices.push({ place });
    if (choices.length === 8) break;
  }
  return choices;
}
