/** How many entries no longer waited at a moment (ms since 1970, the server's). */
export type Sample = { at: number; taken: number };

const WINDOW_MS = 60_000;
const PACE_MS = 10_000;
/** A burst inside a shorter span would say more than the rate that is held on average. */
const SPAN_MS = 3_000;

/** Adds what an answer said; one older than a minute falls away, a repeated one changes nothing. */
export function withSample(samples: readonly Sample[], next: Sample): readonly Sample[] {
  const last = samples.at(-1);
  if (last && next.at <= last.at) return samples;
  return [...samples.filter(({ at }) => at > next.at - WINDOW_MS), next];
}

/** Entries a second over the last ten seconds seen, or null before answers that are 3 s apart. */
export function paceOf(samples: readonly Sample[]): number | null {
  const last = samples.at(-1);
  if (!last) return null;
  const first = samples.find(({ at }) => at >= last.at - PACE_MS);
  if (!first || last.at - first.at < SPAN_MS) return null;
  return Math.max(0, ((last.taken - first.taken) * 1000) / (last.at - first.at));
}

/** Entries a second in each of the last `count` seconds, oldest first; null where nothing was seen. */
export function secondsOf(samples: readonly Sample[], count = 60): (number | null)[] {
  const last = samples.at(-1);
  if (!last) return Array.from({ length: count }, () => null);
  return Array.from({ length: count }, (_, i) => {
    const end = last.at - (count - 1 - i) * 1000;
    const from = takenAt(samples, end - 1000);
    const to = takenAt(samples, end);
    return from === null || to === null ? null : Math.max(0, to - from);
  });
}

/** Between two answers the entries are taken to have gone evenly. */
function takenAt(samples: readonly Sample[], at: number): number | null {
  const after = samples.findIndex((sample) => sample.at >= at);
  const next = samples[after];
  if (!next) return null;
  if (next.at === at) return next.taken;
  const before = samples[after - 1];
  return before ? before.taken + ((next.taken - before.taken) * (at - before.at)) / (next.at - before.at) : null;
}
