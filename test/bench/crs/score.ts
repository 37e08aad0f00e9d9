import type { CrsJudgement } from '@/lib/crs/crs-evidence';
import { judgeCrs } from '@/lib/crs/judge-crs';
import type { Bbox } from '@/lib/crs/registry/registry';
import { metresBetween } from '@/lib/crs/sphere';
import type { VertexSample } from '@/lib/crs/vertex-sample';
import type { Entry } from './draft';
import { SAME_PLACE_M, sampleOf, truePlace } from './entry-sample';
import { type Choice, naiveChoices } from './naive';
import { tileHolding } from './tile';

export type Prior = 'z10' | 'z6' | 'none';
export const PRIORS: readonly Prior[] = ['z10', 'z6', 'none'];

/** One mismatch, judged with one prior. */
export interface Outcome {
  entry: Entry;
  prior: Prior;
  judgement: CrsJudgement;
  /** Place of the true one among the candidates, from 0; −1 where it is not. */
  rank: number;
  naive_rank: number;
  is_confident_and_wrong: boolean;
}

export function judgeEntry(entry: Entry, sample: VertexSample, tile: Bbox | null): CrsJudgement {
  return judgeCrs({
    sample,
    non_finite: false,
    is_empty: false,
    src_crs: entry.src_crs,
    srid: entry.srid,
    target_crs: entry.target_crs,
    placed: entry.placed,
    tile,
    siblings: null,
    params_bbox: null,
  });
}

export function scoreMismatch(entry: Entry, prior: Prior): Outcome {
  const sample = sampleOf(entry);
  const truth = truePlace(entry, sample);
  const tile = prior === 'none' ? null : tileHolding(truth, prior === 'z10' ? 10 : 6, [0, 0]);
  const judgement = judgeEntry(entry, sample, tile);
  const rankIn = (choices: readonly Choice[]) =>
    choices.findIndex(({ place }) => metresBetween(place, truth) < SAME_PLACE_M);
  const rank = rankIn(judgement.candidates);
  return {
    entry,
    prior,
    judgement,
    rank,
    naive_rank: rankIn(naiveChoices(sample.medoid, tile)),
    is_confident_and_wrong: judgement.suggestion !== null && rank !== 0,
  };
}

export interface SoundOutcome {
  entry: Entry;
  judgement: CrsJudgement;
  is_alarm: boolean;
}

export function scoreSound(entry: Entry): SoundOutcome {
  const sample = sampleOf(entry);
  const tile = entry.tile && tileHolding(truePlace(entry, sample), entry.tile.zoom, entry.tile.off);
  const judgement = judgeEntry(entry, sample, tile);
  const is_quiet = judgement.crs_verdict === 'agrees' || judgement.crs_verdict === 'deprecated';
  return { entry, judgement, is_alarm: !is_quiet || judgement.suggestion !== null };
}
