import { compareTexts, type Values } from './values';

/** Stands for "no value" in a condition, as in the contract. */
const NO_VALUE = '∅';

/**
 * Which values of a dictionary a set condition takes: 1 by code, else 0; null where it takes all. Any of the included
 * values and none of the excluded ones (`!`), a trailing `*` is a prefix.
 */
export function takenBy(conditions: readonly string[] | undefined, values: Values): Uint8Array | null {
  if (!conditions || conditions.length === 0) return null;
  const included = conditions.filter((value) => !value.startsWith('!'));
  const excluded = conditions.filter((value) => value.startsWith('!')).map((value) => value.slice(1));
  const taken = new Uint8Array(values.size).fill(included.length > 0 ? 0 : 1);
  mark(taken, included, values, 1);
  mark(taken, excluded, values, 0);
  return taken;
}

function mark(taken: Uint8Array, given: readonly string[], values: Values, as: 0 | 1): void {
  const prefixes: string[] = [];
  for (const value of given) {
    // PostgreSQL's text cannot hold U+0000, so nothing equals such a value
    if (value.includes('\0')) continue;
    if (value === NO_VALUE) taken[0] = as;
    else if (value.endsWith('*')) prefixes.push(inUtf8(value.slice(0, -1)));
    else {
      const code = values.codeOf(inUtf8(value));
      if (code !== undefined) taken[code] = as;
    }
  }
  if (prefixes.length === 0) return;
  const shortest = withoutLonger(prefixes);
  for (let code = 1; code < values.size; code += 1) {
    const text = values.textOf(code)!;
    if (shortest.some((prefix) => text.startsWith(prefix))) taken[code] = as;
  }
}

/** A prefix that begins with another one adds nothing. */
function withoutLonger(prefixes: readonly string[]): string[] {
  const kept: string[] = [];
  for (const prefix of prefixes.toSorted(compareTexts))
    if (!kept.some((one) => prefix.startsWith(one))) kept.push(prefix);
  return kept;
}

/** Half a surrogate pair reaches PostgreSQL as U+FFFD. */
const inUtf8 = (text: string): string => text.replace(/[\ud800-\udfff]/gu, '\ufffd');
