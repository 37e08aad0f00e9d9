/** A long computation that stops for a moment every now and then, so that who runs it may see to something else first. */
export type Steps<T> = Generator<void, T, void>;

/** Runs it to its end at once. */
export function toEnd<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
