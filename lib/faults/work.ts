/** What may still be compared. One unit is about one test of two boxes. */
export class Work {
  private left: number;

  constructor(readonly max: number) {
    this.left = max;
  }

  spend(units: number): void {
    this.left -= units;
  }

  get is_spent(): boolean {
    return this.left < 0;
  }
}

export const CHUNK_WORK = 12;
export const EXACT_TEST_WORK = 40;
export const PLACE_WORK = 200;
/** Integers of up to 2,100 bits. */
export const LONG_INTEGER_WORK = 4000;
/** Processors are slow with subnormal numbers: 0.7 µs for a comparison of two edges. */
export const SUBNORMAL_WORK = 80;
