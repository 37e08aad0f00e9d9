import type { Row } from '../row';
import type { Entry } from './draft';
import { sampleOf, truePlace } from './entry-sample';
import { naiveChoices } from './naive';
import { judgeEntry, type Outcome, PRIORS, type Prior, type SoundOutcome } from './score';
import { tileHolding } from './tile';

/** A share in percent with what it must reach. */
export interface GoalRow extends Row {
  goal: string;
  n: number;
  met: boolean;
}

const percent = (count: number, n: number): number => Number(((100 * count) / Math.max(1, n)).toFixed(2));

/** The figures by their names; the baseline of places is picking by the size of the area of use alone. */
export function goalRows(outcomes: readonly Outcome[], quiet: readonly SoundOutcome[]): GoalRow[] {
  const top = (prior: Prior, places: number, goal: number): GoalRow => {
    const of = outcomes.filter((outcome) => outcome.prior === prior);
    const share = (rankOf: (outcome: Outcome) => number) =>
      percent(of.filter((outcome) => rankOf(outcome) >= 0 && rankOf(outcome) < places).length, of.length);
    const value = share(({ rank }) => rank);
    const baseline = share(({ naive_rank }) => naive_rank);
    const ratio = Number((value / baseline).toFixed(2));
    return {
      name: `${prior} top-${places}`,
      value,
      unit: '%',
      baseline,
      ratio,
      goal: `≥ ${goal}`,
      n: of.length,
      met: value >= goal,
    };
  };
  const below = (name: string, count: number, n: number): GoalRow => {
    const value = percent(count, n);
    return { name, value, unit: '%', baseline: null, ratio: null, goal: '< 1', n, met: value < 1 };
  };
  return [
    top('z10', 1, 95),
    top('z10', 3, 99),
    top('z6', 1, 75),
    top('z6', 3, 85),
    below('wrong and confident', outcomes.filter((one) => one.is_confident_and_wrong).length, outcomes.length),
    below('false alarm', quiet.filter(({ is_alarm }) => is_alarm).length, quiet.length),
  ];
}

/** Every kind of mismatch: how often it is found, at all and at its place, by prior. */
export function printKinds(outcomes: readonly Outcome[]): void {
  const kinds = [...new Set(outcomes.map(({ entry }) => entry.kind))].sort();
  const line = (of: readonly Outcome[]) => {
    const columns: Record<string, number> = { n: of.length / PRIORS.length };
    for (const prior of PRIORS) {
      const those = of.filter((outcome) => outcome.prior === prior);
      columns[`${prior} top-1`] = percent(those.filter(({ rank }) => rank === 0).length, those.length);
      columns[`${prior} top-3`] = percent(those.filter(({ rank }) => rank >= 0 && rank < 3).length, those.length);
      columns[`${prior} wrong`] = those.filter((one) => one.is_confident_and_wrong).length;
      columns[`${prior} silent`] = those.filter(({ judgement }) => judgement.crs_verdict === 'agrees').length;
    }
    return columns;
  };
  console.table({
    ...Object.fromEntries(kinds.map((kind) => [kind, line(outcomes.filter(({ entry }) => entry.kind === kind))])),
    all: line(outcomes),
  });
}

export function printSound(quiet: readonly SoundOutcome[]): void {
  const kinds = [...new Set(quiet.map(({ entry }) => entry.kind))].sort();
  const lines = kinds.map((kind) => {
    const of = quiet.filter(({ entry }) => entry.kind === kind);
    const alarms = of.filter(({ is_alarm }) => is_alarm);
    const verdicts = [...new Set(alarms.map(({ judgement }) => judgement.crs_verdict))].join(', ');
    return [kind, { n: of.length, alarms: alarms.length, verdicts }] as const;
  });
  console.table(Object.fromEntries(lines));
}

/** Microseconds an entry; for a mismatch beside the baseline that only looks at areas of use. */
export function timeRows(mismatches: readonly Entry[], sound: readonly Entry[]): Row[] {
  const withTiles = (entries: readonly Entry[], zoom: number | null) =>
    entries.map((entry) => {
      const sample = sampleOf(entry);
      return { entry, sample, tile: zoom === null ? null : tileHolding(truePlace(entry, sample), zoom, [0, 0]) };
    });
  const row = (name: string, value: number, baseline: number | null): Row => ({
    name,
    value: Math.round(value * 10) / 10,
    unit: 'µs',
    baseline: baseline === null ? null : Math.round(baseline * 10) / 10,
    ratio: baseline === null ? null : Number((baseline / value).toFixed(2)),
  });
  const rows = ([10, 6, null] as const).map((zoom) => {
    const given = withTiles(mismatches, zoom);
    const judged = timed(given, ({ entry, sample, tile }) => judgeEntry(entry, sample, tile));
    const naive = timed(given, ({ sample, tile }) => naiveChoices(sample.medoid, tile));
    return row(`mismatch, ${zoom === null ? 'no tile' : `z${zoom}`}`, judged, naive);
  });
  const given = withTiles(sound, 10);
  return [
    ...rows,
    row(
      'sound, z10',
      timed(given, ({ entry, sample, tile }) => judgeEntry(entry, sample, tile)),
      null,
    ),
  ];
}

let sink: unknown;

/** The better of two rounds after one to warm up. */
function timed<T>(items: readonly T[], work: (item: T) => unknown): number {
  const round = () => {
    const before = performance.now();
    for (const item of items) sink = work(item);
    return ((performance.now() - before) * 1000) / Math.max(1, items.length);
  };
  round();
  const best = Math.min(round(), round());
  return sink === undefined ? Number.NaN : best;
}
