/**
 * Text inside a literal of Python ("…") or of PostgreSQL (E'…'): printable ASCII stays, everything else is written as the
 * escapes that both read alike, so that no quote, backslash, line break or change of direction leaves the literal or the
 * screen. A NUL, which PostgreSQL cannot hold, and a lone surrogate become U+FFFD.
 */
function escaped(text: string, quote: '"' | "'"): string {
  let out = '';
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0;
    if (char === quote || char === '\\') out += `\\${char}`;
    else if (code >= 0x20 && code <= 0x7e) out += char;
    else if (code === 0 || (code >= 0xd800 && code <= 0xdfff)) out += '\\uFFFD';
    else if (code <= 0xffff) out += `\\u${code.toString(16).padStart(4, '0')}`;
    else out += `\\U${code.toString(16).padStart(8, '0')}`;
  }
  return out;
}

/** A literal of PostgreSQL, whatever standard_conforming_strings says; null is `null`. */
export const sqlLiteral = (text: string | null) => (text === null ? 'null' : `E'${escaped(text, "'")}'`);

/** A literal of Python; null is `None`. */
export const pythonLiteral = (text: string | null) => (text === null ? 'None' : `"${escaped(text, '"')}"`);
