import type { IndexFold } from './answers';
import type { Block } from './block';
import { axisSecondOf } from './instants';
import type { Rows } from './rows';
import { compareTexts, type Values } from './values';

/** When each code version was first seen. */
export class VersionFirsts {
  /** By code: rows of later days need not be looked at. No version: none. */
  readonly days: Int32Array;
  readonly #at: Float64Array;
  readonly #rows: Rows;
  readonly #versions: Values;

  constructor(rows: Rows, versions: Values) {
    this.#rows = rows;
    this.#versions = versions;
    this.days = new Int32Array(versions.size).fill(65_536);
    this.days[0] = -1;
    this.#at = new Float64Array(versions.size).fill(Number.POSITIVE_INFINITY);
  }

  /** Looks at a row on the time axis. */
  take(version: number, block: Block, slot: number): void {
    const at = this.#rows.instantAt(block, slot) as number;
    if (at >= this.#at[version]!) return;
    this.#at[version] = at;
    this.days[version] = block.day[slot]!;
  }

  /** `axisSecondOf` its first, if one was found. */
  secondOf(code: number): number {
    return axisSecondOf(this.#at[code]!);
  }

  /** The `limit` that came last, in order of time. */
  newest(limit: number): IndexFold['versions'] {
    const codes: number[] = [];
    for (let code = 1; code < this.#at.length; code += 1)
      if (this.#at[code] !== Number.POSITIVE_INFINITY) codes.push(code);
    codes.sort((a, b) => this.#at[b]! - this.#at[a]!);
    return codes
      .slice(0, limit)
      .map((code) => ({ code_version: this.#versions.textOf(code)!, first_seen_us: this.#at[code]! }))
      .sort((a, b) => a.first_seen_us - b.first_seen_us || compareTexts(a.code_version, b.code_version));
  }
}
