/** Upper bounds of the classes that durations are counted in, seconds. */
export const DURATION_BOUNDS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5] as const;

interface Counted {
  /** How many were at most as long as each bound. */
  up_to: number[];
  count: number;
  sum_s: number;
}

/** Durations by what they are of, counted for a histogram. */
export class Durations {
  readonly by = new Map<string, Counted>();

  note(of: string, ms: number): void {
    const counted = this.by.get(of) ?? { up_to: DURATION_BOUNDS_S.map(() => 0), count: 0, sum_s: 0 };
    this.by.set(of, counted);
    counted.count += 1;
    counted.sum_s += ms / 1000;
    for (const [i, bound] of DURATION_BOUNDS_S.entries()) if (ms / 1000 <= bound) counted.up_to[i]! += 1;
  }
}
