import type { Steps } from '@/lib/faults/steps';

/** Runs it to its end, and lets whatever waits in this process go first after each step. */
export async function inSteps<T>(steps: Steps<T>): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
}
