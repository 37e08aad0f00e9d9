/** A dictionary of texts: each has a code, in the order they came; no value has code 0. */
export class Values {
  readonly #codes = new Map<string, number>();
  readonly #texts: (string | null)[] = [null];
  #chars = 0;

  /** The code of a value, given to it now if it is new. */
  add(text: string | null): number {
    if (text === null) return 0;
    const known = this.#codes.get(text);
    if (known !== undefined) return known;
    const code = this.#texts.length;
    this.#codes.set(text, code);
    this.#texts.push(text);
    this.#chars += text.length;
    return code;
  }

  /** Undefined for a text that no entry ever had. */
  codeOf(text: string): number | undefined {
    return this.#codes.get(text);
  }

  textOf(code: number): string | null {
    return this.#texts[code] ?? null;
  }

  /** Number of codes, that of no value included. */
  get size(): number {
    return this.#texts.length;
  }

  /** An estimate: a text's header, its slots in the array and in the map. */
  get bytes(): number {
    return this.#chars + 56 * this.#texts.length;
  }
}

/** As PostgreSQL's "C" collation orders UTF-8: by code points. `<` alone puts U+E000 … U+FFFF behind the astral ones. */
export function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i += 1) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return astralLast(x) - astralLast(y);
  }
  return a.length - b.length;
}

/** No value comes last. */
export function compareValues(a: string | null, b: string | null): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  return compareTexts(a, b);
}

const astralLast = (unit: number): number => (unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit);
