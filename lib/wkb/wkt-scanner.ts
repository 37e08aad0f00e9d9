import type { NotGeometry } from './geometry-tree';

export class WktSyntaxError extends Error {
  constructor(
    message: string,
    readonly offset: number,
    readonly code: NotGeometry['code'] = 'not_a_geometry',
  ) {
    super(message);
  }
}

const SPACE = /[\s\0]*/y;
const WORD = /[a-z]+/iy;
const NUMBER = /[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?/iy;
/** NaN and infinities as Python, C, Java and old Visual C print them. */
const NON_FINITE = /[+-]?(?:nan(?:\((?:ind|snan)\))?|inf(?:inity)?|1\.#(?:qnan|snan|ind|inf)\d*)(?![a-z])/iy;

/** Tokens of WKT; every method first skips blanks and throws WktSyntaxError where its token is not there. */
export class WktScanner {
  offset: number;

  constructor(
    private readonly text: string,
    from: number,
  ) {
    this.offset = from;
  }

  /** The next word in upper case, or '' where there is none. */
  word(): string {
    return this.take(WORD)?.toUpperCase() ?? '';
  }

  /** Takes the next word only if it is one of `words` (upper case); '' otherwise. */
  optionalWord(words: readonly string[]): string {
    const found = this.peek(WORD)?.toUpperCase() ?? '';
    if (!words.includes(found)) return '';
    this.offset += found.length;
    return found;
  }

  atWord(word?: string): boolean {
    const found = this.peek(WORD)?.toUpperCase();
    return found !== undefined && (word === undefined || found === word);
  }

  atNumber(): boolean {
    return this.peek(NUMBER) !== null || this.peek(NON_FINITE) !== null;
  }

  number(): number {
    const special = this.take(NON_FINITE)?.toLowerCase();
    if (special === undefined) return Number(this.take(NUMBER) ?? this.fail('a number is missing'));
    if (!special.includes('inf')) return NaN;
    return special.startsWith('-') ? -Infinity : Infinity;
  }

  open(): void {
    this.symbol('(');
  }

  close(): void {
    this.symbol(')');
  }

  comma(): boolean {
    this.skip();
    if (this.text[this.offset] !== ',') return false;
    this.offset += 1;
    return true;
  }

  end(): void {
    this.take(/;?/y);
    this.skip();
    if (this.offset < this.text.length) this.fail('text follows the geometry');
  }

  private symbol(symbol: string): void {
    this.skip();
    if (this.text[this.offset] !== symbol) this.fail(`${symbol} is missing`);
    this.offset += 1;
  }

  private take(pattern: RegExp): string | null {
    const found = this.peek(pattern);
    if (found !== null) this.offset += found.length;
    return found;
  }

  private peek(pattern: RegExp): string | null {
    this.skip();
    pattern.lastIndex = this.offset;
    return pattern.exec(this.text)?.[0] ?? null;
  }

  private skip(): void {
    SPACE.lastIndex = this.offset;
    SPACE.exec(this.text);
    this.offset = SPACE.lastIndex;
  }

  private fail(message: string): never {
    throw new WktSyntaxError(message, this.offset);
  }
}
