/** A text as a pattern of `like` that means just that text. */
export function likePattern(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}
