/**
 * Quotes of the query language. Between `"` and `"` everything stands for itself, except that `""` is one quote and
 * `\u{41}` is the character of that number: how an invisible character is written so that it can be seen.
 */
export type Run = { text: string; quoted: boolean };

/** Characters that an unquoted value cannot hold, or that nobody would see. */
const SPECIAL = /[\s",]|\\u\{|[\p{Cc}\p{Cf}\p{Cs}]/u;
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|\\(?=u\{)/gu;
const ESCAPE = /\\u\{([0-9a-f]{1,6})\}/gi;
const LAST_CODE_POINT = 0x10ffff;

export function isPlain(value: string): boolean {
  return value !== '' && !SPECIAL.test(value);
}

/** The value between quotes, whatever it holds. */
export function quote(value: string): string {
  const seen = value.replace(UNSEEN, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
  return `"${seen.replaceAll('"', '""')}"`;
}

/** What stands between two quotes as the text that it means. */
export function unquote(inner: string): string {
  return inner.replaceAll('""', '"').replace(ESCAPE, (whole, digits: string) => {
    const code = Number.parseInt(digits, 16);
    return code <= LAST_CODE_POINT ? String.fromCodePoint(code) : whole;
  });
}

/** Splits one word into what is quoted and what is not. `open`: its last quote does not end. */
export function runsOf(word: string): { runs: Run[]; open: boolean } {
  const runs: Run[] = [];
  let at = 0;
  while (at < word.length) {
    if (word[at] !== '"') {
      const end = word.indexOf('"', at);
      runs.push({ text: word.slice(at, end < 0 ? word.length : end), quoted: false });
      at = end < 0 ? word.length : end;
      continue;
    }
    const end = endOfQuote(word, at);
    runs.push({ text: unquote(word.slice(at + 1, end < 0 ? word.length : end)), quoted: true });
    if (end < 0) return { runs, open: true };
    at = end + 1;
  }
  return { runs, open: false };
}

/** Index of the quote that ends the one at `at`, or -1. */
export function endOfQuote(text: string, at: number): number {
  let end = text.indexOf('"', at + 1);
  while (end >= 0 && text[end + 1] === '"') end = text.indexOf('"', end + 2);
  return end;
}
