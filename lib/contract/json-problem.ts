const NEXT = 'names and texts go in double quotes, without NaN, comments or a comma before } or ]';

/**
 * Why JSON.parse refused a text, and what to do. Its own words quote the text around the place, which can be the payload: of
 * them only the place, or one character, is kept.
 */
export function jsonProblem(text: string, error: unknown): string {
  const said = error instanceof Error ? error.message : '';
  const position = Number(/at position (\d+)/.exec(said)?.[1] ?? Number.NaN);
  if (/^(Unexpected end|Unterminated)/.test(said) || position >= text.trimEnd().length)
    return 'not JSON: its end is missing; send the text whole';
  const at = Number.isNaN(position) ? '' : ` at character ${position + 1}`;
  if (said.startsWith('Unexpected non-white'))
    return `not JSON: more follows after the value${at}; send one value, or several as NDJSON, one a line`;
  const token = /^Unexpected token '(.)'/su.exec(said)?.[1];
  const found = token === undefined ? `it breaks off${at}` : `“${token}” stands where it cannot`;
  return `not JSON: ${found}; ${NEXT}`;
}
