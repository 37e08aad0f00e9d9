/** One figure of the bench, beside a baseline that was measured in the same run. */
export interface Row {
  name: string;
  value: number;
  unit: string;
  baseline: number | null;
  /** How many times better than the baseline (above 1 is better); null without one. */
  ratio: number | null;
}

/** A time or a size: the smaller the better. */
export const less = (name: string, value: number, unit: string, baseline: number | null): Row => ({
  name,
  value: round(value),
  unit,
  baseline: baseline === null ? null : round(baseline),
  ratio: baseline === null ? null : round(baseline / value),
});

/** A rate: the larger the better. */
export const more = (name: string, value: number, unit: string, baseline: number | null): Row => ({
  ...less(name, value, unit, baseline),
  ratio: baseline === null ? null : round(value / baseline),
});

const round = (value: number): number => Number(value.toPrecision(3));
