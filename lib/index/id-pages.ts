const PAGE_BITS = 16;
const PAGE = 2 ** PAGE_BITS;

/** A number of 32 bits for each id (0 … 2^32 − 1); 0 is none. Ids are dense, so a page of 65,536 of them is a typed array. */
export class IdPages {
  readonly #pages: (Uint32Array | undefined)[] = [];
  readonly #used: number[] = [];
  #bytes = 0;

  get(id: number): number {
    const page = this.#pages[id >>> PAGE_BITS];
    return page === undefined ? 0 : page[id & (PAGE - 1)]!;
  }

  set(id: number, value: number): void {
    const at = id >>> PAGE_BITS;
    let page = this.#pages[at];
    if (page === undefined) {
      if (value === 0) return;
      page = new Uint32Array(PAGE);
      this.#pages[at] = page;
      this.#used[at] = 0;
      this.#bytes += page.byteLength;
    }
    const slot = id & (PAGE - 1);
    if ((page[slot] === 0) !== (value === 0)) this.#used[at]! += value === 0 ? -1 : 1;
    page[slot] = value;
    if (this.#used[at] === 0) {
      this.#pages[at] = undefined;
      this.#bytes -= page.byteLength;
    }
  }

  get bytes(): number {
    return this.#bytes;
  }
}
