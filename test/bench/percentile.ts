/** The value under which a share of the values lies (0.5 is the median). */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

/** Milliseconds of each of `runs` runs, after one that warms up. */
export async function timesOf(work: () => Promise<unknown>, runs = 9): Promise<number[]> {
  await work();
  const times: number[] = [];
  for (let run = 0; run < runs; run++) times.push(await timeOf(work));
  return times;
}

/** Milliseconds of one run. */
export async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
