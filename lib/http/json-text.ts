import { DlqError } from '@/lib/contract/error';
import { jsonProblem } from '@/lib/contract/json-problem';

/** Deeper JSON makes recursive readers overflow. */
export const MAX_JSON_DEPTH = 64;

/** How deep arrays and objects nest in JSON text, without parsing it. */
export function jsonDepth(text: string): number {
  let depth = 0;
  let deepest = 0;
  let in_string = false;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (in_string) {
      if (c === 0x5c) i += 1;
      else if (c === 0x22) in_string = false;
    } else if (c === 0x22) in_string = true;
    else if (c === 0x7b || c === 0x5b) deepest = Math.max(deepest, ++depth);
    else if (c === 0x7d || c === 0x5d) depth -= 1;
  }
  return deepest;
}

/** Parses the JSON body of a request. A key `__proto__` becomes a plain own property, never a prototype. */
export function parseJson(text: string): unknown {
  const depth = jsonDepth(text);
  if (depth > MAX_JSON_DEPTH)
    throw new DlqError('bad_request', `the JSON nests ${depth} levels deep; ${MAX_JSON_DEPTH} is the limit`);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new DlqError('bad_request', `the body is ${jsonProblem(text, error)}`);
  }
}
