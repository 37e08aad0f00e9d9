/**
 * A text with what would not be seen made visible: controls, characters without width and marks that turn the direction
 * of what follows become their code, so that no text can look like another one. Line breaks and tabs stay.
 */
export const visibleText = (text: string): string =>
  text.replace(
    /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu,
    (found) => `⟨U+${(found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`,
  );
