/** Characters that are drawn as nothing, move what follows them, or end a line. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\ufffd]/gu;
const NAMED: Record<string, string> = { '\n': '⏎', '\t': '⇥', '\r': '␍' };

/**
 * Damaged text so that each character is seen where it stands: control characters as their pictures, what hides or turns
 * text (zero width, right to left) by its code point. A tab and line breaks stay readable.
 */
export function visibleText(text: string): string {
  return text.replace(UNSEEN, (character) => {
    const code = character.codePointAt(0) ?? 0;
    if (character === '\ufffd') return character;
    if (NAMED[character]) return NAMED[character];
    if (code < 0x20) return String.fromCodePoint(0x2400 + code);
    return code === 0x7f ? '␡' : `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
  });
}
