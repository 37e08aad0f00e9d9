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

export const EXACT_TEST_WORK = 40;
export const PLACE_WORK = 200;
