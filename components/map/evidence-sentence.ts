import { compassWord, distanceText } from '@/lib/crs/distance-words';
import { bearingTo, type LonLat, metresBetween, wrapLon } from '@/lib/crs/sphere';
import { tileBbox, tileCentre } from '@/lib/crs/web-mercator';
import { candidatesShown, type EvidenceInput, type EvidenceView } from './evidence-view';
import { unmappableWords } from './unmappable-words';

const count = (n: number, word: string) => `${n.toLocaleString('en-GB')} ${n === 1 ? word : `${word}s`}`;

function placeText([lon, lat]: LonLat): string {
  const east = wrapLon(lon);
  return `${Math.abs(lat).toFixed(2)}° ${lat < 0 ? 'south' : 'north'}, ${Math.abs(east).toFixed(2)}° ${east < 0 ? 'west' : 'east'}`;
}

function tileText(view: EvidenceView, { tile, distance_m }: EvidenceInput): string {
  if (!tile || !view.landing) return '';
  const name = `${tile.z}/${tile.x}/${tile.y}`;
  const [west, south, east, north] = tileBbox(tile);
  const lon = wrapLon(view.landing[0]);
  if (distance_m === 0) return `, in its tile ${name}`;
  if (lon >= west && lon <= east && view.landing[1] >= south && view.landing[1] <= north)
    return `, inside its tile ${name}`;
  const centre = tileCentre(tile);
  return `, ${distanceText(distance_m ?? metresBetween(view.landing, centre))} ${compassWord(bearingTo(centre, view.landing))} of its tile ${name}`;
}

/** The pane in one sentence: type, vertices, where it lands, how far from its tile, faults and candidates. */
export function evidenceSentence(view: EvidenceView, input: EvidenceInput): string {
  const candidates = candidatesShown(input.evidence);
  const { unmappable_reason } = input.evidence;
  if (!view.landing || !view.reading) {
    const why = `Not on the map: ${unmappableWords(unmappable_reason)}`;
    if (candidates.length === 0) return input.tile ? `${why.replace(/\.$/, '')}; its tile is drawn.` : why;
    return `${why.replace(/\.$/, '')}; ${count(candidates.length, 'candidate place')} ${candidates.length === 1 ? 'is' : 'are'} drawn.`;
  }
  const pole = view.shape?.encloses_pole;
  const drawn = view.places.filter((place) => place !== null).length;
  const parts = [
    `${view.reading.type_name ?? 'Geometry'} of ${count(view.reading.vertex_count, 'vertex').replace('vertexs', 'vertices')}`,
    ` lands at ${placeText(view.landing)}`,
    tileText(view, input),
    pole ? `, closed over the ${pole} pole` : '',
    input.faults.length > 0 ? `, with ${count(input.faults.length, 'fault')}, ${drawn} of them drawn` : '',
    candidates.length > 0 ? `, and ${count(candidates.length, 'candidate place')}` : '',
  ];
  return `${parts.join('')}.`;
}
