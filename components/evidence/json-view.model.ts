/** JSON as it is shown: numbers keep their text, so that none is rounded; members keep their order and doubles. */
export type JsonNode =
  | { kind: 'object'; members: { key: string; value: JsonNode }[] }
  | { kind: 'array'; items: JsonNode[] }
  | { kind: 'string'; value: string }
  | { kind: 'number'; text: string /** A double would not give the same digits back. */; beyond_double: boolean }
  | { kind: 'word'; text: 'true' | 'false' | 'null' };

const MAX_DEPTH = 200;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const SPACE = /[ \t\r\n]*/y;

/**
 * Where the JSON string that begins at `at` ends, past its closing quote; -1 where none begins or ends. By hand: a
 * pattern that repeats over escapes overflows the stack on a string of some megabytes.
 */
export function stringEnd(text: string, at: number): number {
  if (text[at] !== '"') return -1;
  for (let quote = text.indexOf('"', at + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let backslashes = 0;
    while (text[quote - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return quote + 1;
  }
  return -1;
}

class Reader {
  at = 0;
  constructor(readonly text: string) {}

  private match(pattern: RegExp): string | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (!found) return null;
    this.at = pattern.lastIndex;
    return found[0];
  }

  private takes(mark: string): boolean {
    this.match(SPACE);
    if (!this.text.startsWith(mark, this.at)) return false;
    this.at += mark.length;
    return true;
  }

  value(depth: number): JsonNode | null {
    if (depth > MAX_DEPTH) return null;
    if (this.takes('{')) return this.object(depth);
    if (this.takes('[')) return this.array(depth);
    for (const text of ['true', 'false', 'null'] as const) if (this.takes(text)) return { kind: 'word', text };
    const value = this.string();
    if (value !== null) return { kind: 'string', value };
    const text = this.match(NUMBER);
    return text === null ? null : { kind: 'number', text, beyond_double: beyondDouble(text) };
  }

  /** The text of a string; null where there is none, or none that JSON allows. */
  private string(): string | null {
    const end = stringEnd(this.text, this.at);
    if (end < 0) return null;
    const token = this.text.slice(this.at, end);
    this.at = end;
    try {
      return JSON.parse(token) as string;
    } catch {
      return null;
    }
  }

  private object(depth: number): JsonNode | null {
    const members: { key: string; value: JsonNode }[] = [];
    if (this.takes('}')) return { kind: 'object', members };
    do {
      this.match(SPACE);
      const key = this.string();
      if (key === null || !this.takes(':')) return null;
      const value = this.value(depth + 1);
      if (!value) return null;
      members.push({ key, value });
    } while (this.takes(','));
    return this.takes('}') ? { kind: 'object', members } : null;
  }

  private array(depth: number): JsonNode | null {
    const items: JsonNode[] = [];
    if (this.takes(']')) return { kind: 'array', items };
    do {
      const value = this.value(depth + 1);
      if (!value) return null;
      items.push(value);
    } while (this.takes(','));
    return this.takes(']') ? { kind: 'array', items } : null;
  }

  ends(): boolean {
    this.match(SPACE);
    return this.at === this.text.length;
  }
}

/** Significant digits and exponent of a decimal text, so that 1.0, 1 and 10e-1 are one. */
function canonical(text: string): string {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().replace(/^-/, '').split('e');
  const [whole = '', part = ''] = mantissa.split('.');
  const digits = `${whole}${part}`.replace(/^0+/, '');
  const trimmed = digits.replace(/0+$/, '');
  return trimmed === '' ? '0' : `${trimmed}e${Number(exponent) - part.length + digits.length - trimmed.length}`;
}

function beyondDouble(text: string): boolean {
  const value = Number(text);
  return !Number.isFinite(value) || canonical(String(value)) !== canonical(text);
}

/** Reads JSON text; null where it is none. */
export function readJson(text: string): JsonNode | null {
  const reader = new Reader(text);
  const node = reader.value(0);
  return node && reader.ends() ? node : null;
}

/** One line of the tree: `key` is a member's name or an item's place. */
export type JsonLine = { path: string; key: string; depth: number; node: JsonNode; text: string };

/** The tree as lines, depth first, the root's members at depth 0. Scalars at the root are one line. */
export function jsonLines(root: JsonNode): JsonLine[] {
  const lines: JsonLine[] = [];
  const add = (key: string, node: JsonNode, depth: number, above: string): void => {
    const path = above === '' ? key : `${above}.${key}`;
    lines.push({ path, key, depth, node, text: scalarText(node) });
    each(node, depth + 1, path);
  };
  const each = (node: JsonNode, depth: number, path: string): void => {
    if (node.kind === 'object') for (const { key, value } of node.members) add(key, value, depth, path);
    if (node.kind === 'array')
      node.items.forEach((item, i) => {
        add(String(i), item, depth, path);
      });
  };
  if (root.kind === 'object' || root.kind === 'array') each(root, 0, '');
  else lines.push({ path: '', key: '', depth: 0, node: root, text: scalarText(root) });
  return lines;
}

export function scalarText(node: JsonNode): string {
  if (node.kind === 'string') return JSON.stringify(node.value);
  if (node.kind === 'object') return node.members.length === 0 ? '{}' : '';
  if (node.kind === 'array') return node.items.length === 0 ? '[]' : '';
  return node.text;
}

/** Lines whose path or value holds the words, with the lines they stand under. */
export function filterLines(lines: readonly JsonLine[], words: string): JsonLine[] {
  const wanted = words.trim().toLowerCase();
  if (wanted === '') return [...lines];
  const hits = lines.filter(
    ({ path, text }) => path.toLowerCase().includes(wanted) || text.toLowerCase().includes(wanted),
  );
  const above = new Set<string>();
  for (const { path } of hits)
    for (let dot = path.length; dot > 0; dot = path.lastIndexOf('.', dot - 1)) above.add(path.slice(0, dot));
  const kept = new Set(hits);
  return lines.filter((line) => kept.has(line) || above.has(line.path));
}

/** Number of params: members of the object; none where there are no params or they are no object. */
export function paramCount(text: string | null): number {
  const root = text === null ? null : readJson(text);
  return root?.kind === 'object' ? root.members.length : 0;
}

/** More of one text is not laid out: it would take the browser seconds, and nobody reads on. */
const MOST_CHARS = 100_000;

/** The beginning of a text, and how much more there is. */
export function headOfText(text: string): string {
  if (text.length <= MOST_CHARS) return text;
  return `${text.slice(0, MOST_CHARS)}… and ${(text.length - MOST_CHARS).toLocaleString('en')} more characters`;
}
