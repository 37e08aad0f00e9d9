interface Sized {
  /** What it weighs, in a unit of the keeper's. */
  size: number;
}

/** Keeps what was made last, up to a number and a weight; what is being made is made once for all who ask. */
export class Kept<T extends Sized> {
  readonly #most: number;
  readonly #most_size: number;
  #kept = new Map<string, { made: Promise<T>; size: number }>();

  constructor(most: number, most_size: number) {
    this.#most = most;
    this.#most_size = most_size;
  }

  get(key: string, make: () => Promise<T>): Promise<T> {
    const known = this.#kept.get(key);
    if (known) {
      // the newest last
      this.#kept.delete(key);
      this.#kept.set(key, known);
      return known.made;
    }
    const one = { made: make(), size: 0 };
    this.#kept.set(key, one);
    one.made.then(
      ({ size }) => {
        one.size = size;
        this.#trim();
      },
      () => {
        if (this.#kept.get(key) === one) this.#kept.delete(key);
      },
    );
    this.#trim();
    return one.made;
  }

  #trim(): void {
    let size = [...this.#kept.values()].reduce((sum, one) => sum + one.size, 0);
    for (const [key, one] of this.#kept) {
      if (this.#kept.size <= this.#most && size <= this.#most_size) return;
      this.#kept.delete(key);
      size -= one.size;
    }
  }
}
