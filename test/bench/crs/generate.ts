import type pg from 'pg';
import { projText, readClaim } from '@/lib/crs/claim';
import { metresBetween } from '@/lib/crs/sphere';
import { standForSample } from '@/lib/crs/vertex-sample';
import type { Draft, Entry, Point } from './draft';
import { SAME_PLACE_M, sampleOf, truePlace } from './entry-sample';
import { draftMismatch, drawKind, SRID_DIFFERS } from './mismatches';
import { crsTexts, transformAll } from './proj-truth';
import { Random } from './random';
import { draftSound, drawSoundKind } from './sound';

/** Mismatches whose claim puts them where they are anyway are none, so more are drawn than are asked for. */
const SPARE = 1.6;

export interface Generated {
  mismatches: Entry[];
  sound: Entry[];
}

/** Entries of a seed, with their truth by the database's PROJ. */
export async function generate(pool: pg.Pool, seed: number, count: number): Promise<Generated> {
  const random = new Random(seed);
  const drafts = drawMany(Math.ceil(count * SPARE), () => draftMismatch(drawKind(random), random));
  const sound = drawMany(Math.ceil(count * 1.1), () => draftSound(drawSoundKind(random), random));
  return {
    mismatches: (await withTruth(pool, drafts, random, false)).slice(0, count),
    sound: (await withTruth(pool, sound, random, true)).slice(0, count),
  };
}

function drawMany(count: number, draw: () => Draft | null): Draft[] {
  const drafts: Draft[] = [];
  while (drafts.length < count) {
    const draft = draw();
    if (draft) drafts.push(draft);
  }
  return drafts;
}

async function withTruth(pool: pg.Pool, drafts: Draft[], random: Random, is_sound: boolean): Promise<Entry[]> {
  const numbers = await transformAll(
    pool,
    drafts.map(({ places, truth }) => ({ from: 'EPSG:4326', to: truth.id, points: places })),
  );
  const texts = await crsTexts(
    pool,
    drafts.flatMap(({ src_crs }) => Number(/^(?:wkt|proj):(\d+)$/.exec(src_crs ?? '')?.[1] ?? []) || []),
  );
  const entries: Entry[] = [];
  for (const [i, draft] of drafts.entries()) {
    const right = numbers[i] ?? [];
    // PROJ has no such place in this CRS: the area of use is a box, the projection is not.
    if (right.length === 0 || right.some((point) => point === null)) continue;
    if (isUntouched(draft, right[0] as Point)) continue;
    const rounded = roundedFor(draft, random);
    const points = (right as Point[]).map((point) => rounded(draft.damage(point)));
    const src_crs = claimText(draft.src_crs, texts);
    if (src_crs === undefined) continue;
    const { kind, truth, places, srid, target_crs, tile = null } = draft;
    entries.push({ kind, truth: truth.id, points, places, src_crs, srid, target_crs, placed: null, tile });
  }
  await place(pool, entries, claimOf);
  if (is_sound) return entries;
  // A differing SRID is a mismatch where the text is right, too, but not where both say the same place.
  const by_number = entries.map((entry): Entry => ({ ...entry, placed: null }));
  const differing = by_number.filter(({ kind }) => kind === SRID_DIFFERS);
  await place(pool, differing, ({ srid }) => (srid ? `EPSG:${srid}` : null));
  return entries.filter((entry, i) => {
    if (entry.placed === null || !isAtItsPlace(entry)) return true;
    return entry.kind === SRID_DIFFERS && !isAtItsPlace(by_number[i] as Entry);
  });
}

/** PROJ lets degrees through as they are where it does not know the method (a Lambert that counts to the west). */
function isUntouched({ truth, places }: Pick<Draft, 'truth' | 'places'>, [x, y]: Point): boolean {
  const [lon, lat] = places[0] as Point;
  return truth.kind === 'projected' && Math.hypot(x - lon, y - lat) < 2;
}

function claimText(
  src_crs: string | null,
  texts: Map<number, { wkt: string; proj: string }>,
): string | null | undefined {
  const [, form, code] = /^(wkt|proj):(\d+)$/.exec(src_crs ?? '') ?? [];
  if (form === undefined) return src_crs;
  const known = texts.get(Number(code));
  return form === 'wkt' ? known?.wkt : known?.proj;
}

/** What the worker does: the claim decides, the SRID only where there is none. */
function claimOf(entry: Entry): string | null {
  const claim = readClaim(entry.src_crs);
  return claim.kind === 'none' && entry.srid ? `EPSG:${entry.srid}` : projText(claim);
}

/** Places the vertices that stand for the sample. */
async function place(pool: pg.Pool, entries: Entry[], crsOfEntry: (entry: Entry) => string | null): Promise<void> {
  const asked = entries.flatMap((entry) => {
    const from = crsOfEntry(entry);
    return from === null ? [] : [{ entry, from, to: 'EPSG:4326', points: standForSample(sampleOf(entry)) }];
  });
  const answers = await transformAll(pool, asked);
  for (const [i, { entry }] of asked.entries()) entry.placed = { points: answers[i] ?? [], error: null };
}

function isAtItsPlace(entry: Entry): boolean {
  const claimed = entry.placed?.points[0];
  return claimed ? metresBetween(claimed, truePlace(entry, sampleOf(entry))) < SAME_PLACE_M : false;
}

/** Degrees to 10 cm; else to the millimetre, or one in seven to the whole unit. */
function roundedFor({ truth }: Draft, random: Random): (point: Point) => Point {
  if (truth.kind !== 'projected') return ([x, y]) => [Number(x.toFixed(6)), Number(y.toFixed(6))];
  const digits = random.chance(1 / 7) ? 0 : 3;
  return ([x, y]) => [Number(x.toFixed(digits)), Number(y.toFixed(digits))];
}
