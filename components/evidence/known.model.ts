import { unmappableWords } from '@/components/map/unmappable-words';
import { kilometresText } from '@/components/ui/number-text';
import type { Entry, Evidence } from '@/lib/contract/entry';

/**
 * What is known of an entry in a line: a tag of the vocabulary or none, what is sure, and what goes with it. `certain`: the
 * CRS is wrong and it is known how; `ambiguous`: wrong, yet no other is named; `plain`: nothing to put right, or no verdict.
 */
export type Known = {
  tag: string | null;
  tone: 'certain' | 'ambiguous' | 'plain';
  /** Verdicts that hold too. */
  also: readonly string[];
  strong: string;
  rest: string;
};

const tileName = ({ tile_z, tile_x, tile_y }: Entry['payload']) =>
  tile_z === null || tile_x === null || tile_y === null ? null : `${tile_z}/${tile_x}/${tile_y}`;

/** The verdict where there is one, else what the bytes, the claim and the reprojection tell. */
export function knownWords(evidence: Evidence, entry: Pick<Entry, 'payload' | 'tile_distance_m'>): Known {
  const { crs_verdict, crs_reason, unmappable_reason, reproject_error } = evidence;
  if (crs_verdict) {
    const [strong, more] = firstSentence(crs_reason ?? crs_verdict.replaceAll('_', ' '));
    if (crs_verdict === 'agrees' && failing(evidence).length > 0) return faultsFirst(evidence, strong);
    return {
      tag: crs_verdict,
      tone: toneOf(evidence, crs_verdict),
      also: evidence.also,
      strong,
      rest: [more, tileWords(evidence, entry), faultWords(evidence)].filter(Boolean).join(' '),
    };
  }
  const none = { tag: null, tone: 'plain', also: evidence.also } as const;
  const { payload, tile_distance_m } = entry;
  if (unmappable_reason === 'sensitive')
    return { ...none, strong: 'The data of this entry is masked for your role.', rest: faultWords(evidence) };
  if (unmappable_reason) {
    const why = [reproject_error, payload.geom_error].find((text) => text) ?? null;
    return {
      ...none,
      tag: unmappable_reason,
      strong: isRasterTask(unmappable_reason, payload)
        ? 'The task read a raster; no geometry was captured.'
        : unmappableWords(unmappable_reason),
      rest: why ? sentence(why) : faultWords(evidence),
    };
  }
  const tile = tileName(payload);
  const lands =
    tile === null || tile_distance_m === null
      ? 'It has a place on the map.'
      : tile_distance_m === 0
        ? `Lies in its tile ${tile}.`
        : `Lands ${kilometresText(tile_distance_m)} km from its tile ${tile}.`;
  return { ...none, strong: lands, rest: faultWords(evidence) || 'No CRS verdict yet.' };
}

/** A claim that holds explains nothing: what makes it fail comes first. */
function faultsFirst(evidence: Evidence, agreement: string): Known {
  const fails = failing(evidence);
  const codes = [...new Set(fails.map(({ code }) => code))];
  const notes = evidence.faults.length - fails.length;
  const named = codes.length > 1 ? `: ${codes.slice(0, 3).join(', ')}${codes.length > 3 ? ' and others' : ''}` : '';
  return {
    tag: codes[0] ?? null,
    tone: 'plain',
    also: evidence.also,
    strong: fails.length === 1 ? sentence(fails[0]?.message ?? '') : `${fails.length} faults make it fail${named}.`,
    rest: [
      fails.length === 1 ? 'That makes it fail.' : '',
      notes === 0 ? '' : notes === 1 ? '1 more is a note.' : `${notes} more are notes.`,
      `The CRS claim agrees: ${agreement.charAt(0).toLowerCase()}${agreement.slice(1)}`,
    ]
      .filter(Boolean)
      .join(' '),
  };
}

/** How far off the claim puts it, and whether the named candidate puts it right; '' where the reason has said so. */
function tileWords(
  evidence: Evidence,
  { payload, tile_distance_m }: Pick<Entry, 'payload' | 'tile_distance_m'>,
): string {
  const { crs_verdict, crs_reason, candidates, suggestion } = evidence;
  if (crs_verdict === null || IN_ORDER.has(crs_verdict) || /\btile\b/.test(crs_reason ?? '')) return '';
  if (tileName(payload) === null || !tile_distance_m) return '';
  const right = suggestion !== null && candidates[0]?.to_tile_m === 0;
  return `As claimed it lands ${kilometresText(tile_distance_m)} km from its tile${right ? '; as A it lies in it' : ''}.`;
}

const isRasterTask = (reason: string, { source_window }: Entry['payload']) =>
  reason === 'no_geometry' && Boolean(source_window);

/** Verdicts that ask for nothing: the numbers are where they should be. */
const IN_ORDER = new Set(['agrees', 'deprecated']);

function toneOf({ candidates, suggestion }: Evidence, verdict: string): Known['tone'] {
  if (IN_ORDER.has(verdict)) return 'plain';
  return candidates.length > 0 && suggestion === null ? 'ambiguous' : 'certain';
}

/** The first sentence, and what follows it. A point within a number or a name ends none. */
export function firstSentence(text: string): [first: string, rest: string] {
  const found = /^(.*?[.!?])\s+(?=\p{Lu})/su.exec(text);
  return found?.[1] ? [found[1], text.slice(found[0].length)] : [text, ''];
}

const failing = ({ faults }: Evidence) => faults.filter(({ severity }) => severity === 'fails');

function faultWords(evidence: Evidence): string {
  const { faults, valid, diagnosed_at } = evidence;
  const fails = failing(evidence).length;
  const others = faults.length - fails;
  if (fails > 0)
    return `${fails === 1 ? '1 fault makes' : `${fails} faults make`} it fail${others > 0 ? `; ${others === 1 ? '1 is a note' : `${others} are notes`}` : ''}.`;
  if (diagnosed_at === null) return '';
  if (valid === true)
    return faults.length === 0 ? 'The geometry is valid.' : 'The geometry is valid; the notes are below.';
  return '';
}

export const sentence = (text: string) =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;

/** EPSG's number in a claim such as `EPSG:32122`, or null. */
function claimedNumber(src_crs: string | null): number | null {
  const found =
    /^\s*(?:epsg|esri)?[:\s]*(\d{3,6})\s*$/i.exec(src_crs ?? '') ??
    /epsg(?:::|\/0\/|:)(\d{3,6})\s*$/i.exec(src_crs ?? '');
  return found ? Number(found[1]) : null;
}

/** Whether the number on the geometry says another CRS than the claim; false where either is missing. */
export function disagrees(srid: number | null, src_crs: string | null): boolean {
  const claimed = claimedNumber(src_crs);
  return srid !== null && srid !== 0 && claimed !== null && claimed !== srid;
}
