import { afterScalar, afterString, decoded } from './raw-member';

/** jsonb is read recursively; deeper params are kept as bytes. */
const MAX_DEPTH = 64;
/** Digits that PostgreSQL's numeric takes before and after the point. */
const MAX_INTEGER_DIGITS = 131_072;
const MAX_FRACTION_DIGITS = 16_383;

const ESCAPE = /\\(?:u([0-9a-fA-F]{4})|[^u])/g;
const LONE_SURROGATE = /\p{Surrogate}/u;

export interface JsonbForm {
  /** True where jsonb gives back every string, member and number with the value it had. */
  holds: boolean;
  /** JSON text that jsonb takes and that can be searched (U+FFFD for what it refuses), or null where there is none. */
  projection: string | null;
}

/**
 * What becomes of valid JSON text in a jsonb column. jsonb refuses NUL and lone surrogates, drops repeated keys, turns
 * -0 into 0, makes integers of numbers with a positive exponent and refuses those past numeric's range.
 */
export function jsonbForm(text: string): JsonbForm {
  let holds = !LONE_SURROGATE.test(text);
  let projectable = true;
  const edits: Edit[] = [];
  const keys: (Set<string> | null)[] = [];
  let expects_key = false;
  for (let i = 0; i < text.length; ) {
    const c = text[i] as string;
    if (c === '"') {
      const end = afterString(text, i);
      const found = unstorable(text, i, end);
      if (found.length > 0) holds = false;
      for (const edit of found) edits.push(edit);
      const seen = keys.at(-1);
      if (expects_key && seen) {
        const name = decoded(text.slice(i, end));
        if (seen.has(name)) holds = false;
        seen.add(name);
        expects_key = false;
      }
      i = end;
    } else if (c === '-' || (c >= '0' && c <= '9')) {
      const end = afterScalar(text, i);
      const fate = numberFate(text.slice(i, end));
      if (fate !== 'kept') holds = false;
      if (fate === 'refused') projectable = false;
      i = end;
    } else {
      if (c === '{' || c === '[') keys.push(c === '{' ? new Set() : null);
      else if (c === '}' || c === ']') keys.pop();
      if (c === '{' || c === ',') expects_key = keys.at(-1) !== null;
      if (keys.length > MAX_DEPTH) return { holds: false, projection: null };
      i += 1;
    }
  }
  return { holds, projection: projectable ? edited(text, edits) : null };
}

/** False where jsonb would lose something of this JSON text. */
export function jsonbHolds(text: string): boolean {
  return jsonbForm(text).holds;
}

interface Edit {
  start: number;
  end: number;
}

/** The escapes in a string token that stand for NUL or half of a surrogate pair. */
function unstorable(text: string, start: number, end: number): Edit[] {
  const token = text.slice(start, end);
  if (!token.includes('\\u')) return [];
  const found: Edit[] = [];
  let high: Edit | null = null;
  for (const match of token.matchAll(ESCAPE)) {
    const at = { start: start + match.index, end: start + match.index + match[0].length };
    const code = match[1] === undefined ? -1 : Number.parseInt(match[1], 16);
    if (high && code >= 0xdc00 && code <= 0xdfff && high.end === at.start) {
      high = null;
      continue;
    }
    if (high) found.push(high);
    high = code >= 0xd800 && code <= 0xdbff ? at : null;
    if (code === 0 || (code >= 0xdc00 && code <= 0xdfff)) found.push(at);
  }
  if (high) found.push(high);
  return found;
}

function edited(text: string, edits: readonly Edit[]): string {
  let out = '';
  let from = 0;
  for (const { start, end } of edits) {
    out += `${text.slice(from, start)}\\ufffd`;
    from = end;
  }
  return out + text.slice(from);
}

function numberFate(token: string): 'kept' | 'changed' | 'refused' {
  const [mantissa = '', exponent_text] = token.toLowerCase().split('e');
  const [integer = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const exponent = Number(exponent_text ?? 0);
  if (integer.length + Math.max(0, exponent) > MAX_INTEGER_DIGITS) return 'refused';
  if (fraction.length - Math.min(0, exponent) > MAX_FRACTION_DIGITS) return 'refused';
  const is_negative_zero = token.startsWith('-') && !/[1-9]/.test(mantissa);
  return is_negative_zero || exponent > 0 || /e[+-]?0+$/i.test(token) ? 'changed' : 'kept';
}
