/**
 * Runs the steps one after the other and yields what each gave, while the next one is being made ready: the source is
 * asked for it as soon as a step runs. What breaks the source off is thrown after the step before it was answered.
 */
export async function* oneBehind<T>(source: AsyncIterable<() => Promise<T>>): AsyncGenerator<T> {
  let running: Promise<T> | null = null;
  const steps = source[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next: { step: IteratorResult<() => Promise<T>> } | { broken: unknown } = await steps.next().then(
        (step) => ({ step }),
        (broken: unknown) => ({ broken }),
      );
      if (running) {
        const given: T = await running;
        running = null;
        yield given;
      }
      if ('broken' in next) throw next.broken;
      if (next.step.done) return;
      running = next.step.value();
      // awaited above, a step later
      running.catch(() => {});
    }
  } finally {
    await steps.return?.();
  }
}
