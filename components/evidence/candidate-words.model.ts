import type { Candidate, Evidence } from '@/lib/contract/entry';
import { distanceText } from '@/lib/crs/distance-words';
import { rereadOf, rereadWords } from './reread.model';

/** By how much a candidate must lead to be named. */
export const LEAD = 1.5;

export const letterOf = (index: number) => String.fromCharCode(65 + index);

/** Whether a candidate is the one that is named. Only the best can be: its CRS may stand in the list swapped too. */
export const isNamed = ({ candidates, suggestion }: Pick<Evidence, 'candidates' | 'suggestion'>, index: number) =>
  index === 0 && suggestion !== null && candidates[0]?.crs === suggestion;

/** Beside one that is named, those that come next say enough; the rest is asked for. */
const LISTED_BESIDE_A_LEADER = 3;

/** How many candidates are listed and lettered at first; all where none is named. */
export const listedAtFirst = ({ candidates, suggestion }: Pick<Evidence, 'candidates' | 'suggestion'>): number =>
  suggestion === null || candidates.length <= LISTED_BESIDE_A_LEADER + 1 ? candidates.length : LISTED_BESIDE_A_LEADER;

/** How far the best stands from the rest, and what follows. */
export function leadWords({ candidates, suggestion }: Pick<Evidence, 'candidates' | 'suggestion'>): string {
  const [first, second] = candidates;
  if (!first) return '';
  if (suggestion === null)
    return candidates.length === 1
      ? 'One place fits, nothing else speaks for it; no CRS is named'
      : `Ambiguous: ${candidates.length} places fit; no CRS is named`;
  if (!second) return 'A alone fits';
  return `A leads by ${(first.score - second.score).toFixed(1)}; under ${LEAD} none is named`;
}

const POINTS = ['N', 'NE', 'E', 'SE', 'S', 'SW', 'W', 'NW'] as const;

/** From the tile to the candidate: `0 km`, `9.6 km W`, `340 m N`; '–' without a tile. */
export function toTileText({ to_tile_m, to_tile_bearing }: Pick<Candidate, 'to_tile_m' | 'to_tile_bearing'>): string {
  if (to_tile_m === null || to_tile_m === undefined) return '–';
  if (to_tile_m < 0.5) return '0 km';
  const distance =
    to_tile_m < 1e6 && to_tile_m >= 1e4 ? `${(to_tile_m / 1000).toFixed(1)} km` : distanceText(to_tile_m);
  if (to_tile_bearing === null || to_tile_bearing === undefined) return distance;
  // the bearing leads from the candidate to the tile; the table says where the candidate lies
  const back = Math.round((((to_tile_bearing + 180) % 360) + 360) / 45) % 8;
  return `${distance} ${POINTS[back]}`;
}

/** `100 %`; under one percent but not none is `<1 %`. */
export function shareText(share: number | null | undefined): string {
  if (share === null || share === undefined) return '–';
  const percent = Math.round(share * 100);
  return percent === 0 && share > 0 ? '<1 %' : percent === 100 && share < 1 ? '>99 %' : `${percent} %`;
}

/** What is done to the numbers before the CRS reads them; '' where nothing is. */
export const readingWords = (candidate: Candidate): string => rereadWords(rereadOf(candidate));

/** What the source pane says of the candidate in hand. */
export function candidateNote(candidate: Candidate, index: number): string {
  const words = rereadWords(rereadOf(candidate));
  return `${letterOf(index)}: ${candidate.crs}${words && `, ${words}`}`;
}

/** Ids as a short list: `3729, 3753, ESRI:102323`. */
export const equivalentsText = (ids: readonly string[]) => ids.map((id) => id.replace(/^EPSG:/, ''));
