/**
 * The steps of a path into params: `tile.zoom`, `bands[0]` (the same as `bands.0`), and a step with other characters in
 * it as a JSON string: `a."b.c"`. A step names a member of an object, or, where it is a whole number, a place in an array
 * (from 0; a negative one counts from the end). At most 20 steps.
 * @returns null where the text is no path.
 */
export function readParamPath(text: string): string[] | null {
  const steps: string[] = [];
  const step = /(?:(?<dot>^|\.)(?:(?<plain>[^\s."[\]=!<>]+)|(?<quoted>"(?:[^"\\]|\\.)*"))|\[(?<index>-?\d{1,9})\])/gy;
  while (step.lastIndex < text.length) {
    const { plain, quoted, index } = step.exec(text)?.groups ?? {};
    const read = plain ?? index ?? (quoted === undefined ? undefined : unquoted(quoted));
    if (typeof read !== 'string') return null;
    steps.push(read);
    if (step.lastIndex === 0) return null;
  }
  return steps.length > 0 && steps.length <= 20 ? steps : null;
}

/** The path of some steps, as `readParamPath` reads it back. */
export function paramPathText(steps: readonly string[]): string {
  return steps.map((step) => (/^[^\s."[\]=!<>]+$/.test(step) ? step : JSON.stringify(step))).join('.');
}

function unquoted(text: string): string | null {
  try {
    return JSON.parse(text) as string;
  } catch {
    return null;
  }
}
