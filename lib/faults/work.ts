/** What may still be compared. One unit is about one test of two boxes. */
export class Work {
  private left: number;
  private pause_at: number;

  constructor(readonly max: number) {
    this.left = max;
    this.pause_at = max - STEP_WORK;
  }

  spend(units: number): void {
    this.left -= units;
  }

  get is_spent(): boolean {
    return this.left < 0;
  }

  /** Whether enough was compared since the last time to stop for a moment. */
  isStepDone(): boolean {
    if (this.left > this.pause_at) return false;
    this.pause_at = this.left - STEP_WORK;
    return true;
  }
}

/** About 10 ms. */
const STEP_WORK = 4_000_000;

export const CHUNK_WORK = 12;
export const EXACT_TEST_WORK = 40;
export const PLACE_WORK = 200;
/** Integers of up to 2,100 bits. */
export const LONG_INTEGER_WORK = 4000;
/** Processors are slow with subnormal numbers: 0.7 µs for a comparison of two edges. */
export const SUBNORMAL_WORK = 80;
