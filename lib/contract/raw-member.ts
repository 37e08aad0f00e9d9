const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * The members of a JSON object as raw text, by name, of a text that JSON.parse has accepted as an object. Parsing loses
 * what raw text keeps: big integers, `-0`, repeated keys, the spelling of a coordinate. `repeated` are names given twice
 * (the last one counts, as in JSON.parse).
 */
export function rawMembers(text: string): { members: Map<string, string>; repeated: string[] } {
  const members = new Map<string, string>();
  const repeated: string[] = [];
  let i = afterSpace(text, afterSpace(text, 0) + 1);
  while (text.charCodeAt(i) === QUOTE) {
    const name_end = afterString(text, i);
    const name = decoded(text.slice(i, name_end));
    const start = afterSpace(text, afterSpace(text, name_end) + 1);
    const end = afterValue(text, start);
    if (members.has(name)) repeated.push(name);
    members.set(name, text.slice(start, end));
    i = afterSpace(text, end);
    if (text[i] !== ',') break;
    i = afterSpace(text, i + 1);
  }
  return { members, repeated };
}

/** The raw text of one member of a JSON object's text, undefined where it has none of that name. */
export function rawMember(text: string, name: string): string | undefined {
  return rawMembers(text).members.get(name);
}

/** The text of a JSON string token. */
export function decoded(token: string): string {
  return token.includes('\\') ? (JSON.parse(token) as string) : token.slice(1, -1);
}

/** The first index from `i` that is not JSON white space. */
export function afterSpace(text: string, i: number): number {
  for (let c = text.charCodeAt(i); c === 0x20 || c === 0x0a || c === 0x0d || c === 0x09; c = text.charCodeAt(i)) i += 1;
  return i;
}

/** The index after the string token that begins at `i`. */
export function afterString(text: string, i: number): number {
  for (let end = text.indexOf('"', i + 1); end > 0; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes += 1;
    if (escapes % 2 === 0) return end + 1;
  }
  return text.length;
}

/** The index after the number or literal that begins at `i`. */
export function afterScalar(text: string, i: number): number {
  while (i < text.length && !/[\s,:\]}]/.test(text[i] as string)) i += 1;
  return i;
}

function afterValue(text: string, i: number): number {
  const first = text[i];
  if (first === '"') return afterString(text, i);
  if (first !== '{' && first !== '[') return afterScalar(text, i);
  for (let depth = 0; i < text.length; ) {
    const c = text.charCodeAt(i);
    if (c === QUOTE) {
      i = afterString(text, i);
      continue;
    }
    i += 1;
    if (c === 0x7b || c === 0x5b) depth += 1;
    else if ((c === 0x7d || c === 0x5d) && --depth === 0) return i;
  }
  return i;
}
