/** The outermost level of a well-known text; its parts are given as text, to be read the same way. */
export interface WktNode {
  /** In upper case. */
  keyword: string;
  name: string | null;
  /** What stands between its brackets without quotes and parts: numbers and enumerations, in their order. */
  values: string[];
  parts: { keyword: string; text: string }[];
}

const HEAD = /^\s*([A-Za-z_][A-Za-z_0-9]*)\s*[[(]/;

/** Reads one level in one pass; null where the text does not begin as WKT. Tolerates what is cut off or unbalanced. */
export function readWktNode(text: string): WktNode | null {
  const head = HEAD.exec(text);
  if (!head) return null;
  const node: WktNode = { keyword: (head[1] as string).toUpperCase(), name: null, values: [], parts: [] };
  let depth = 1;
  let from = head[0].length;
  const take = (to: number) => {
    const part = text.slice(from, to).trim();
    from = to + 1;
    if (part.startsWith('"')) node.name ??= part.slice(1, -1).replaceAll('""', '"');
    const keyword = HEAD.exec(part)?.[1];
    if (keyword) node.parts.push({ keyword: keyword.toUpperCase(), text: part });
    else if (part !== '') node.values.push(part.replace(/^"|"$/g, ''));
  };
  for (let i = from; i < text.length; i++) {
    const char = text[i];
    if (char === '"') {
      const end = text.indexOf('"', i + 1);
      if (end < 0) return node;
      i = end;
    } else if (char === '[' || char === '(') depth++;
    else if (char === ']' || char === ')') {
      depth--;
      if (depth === 0) {
        take(i);
        return node;
      }
    } else if (char === ',' && depth === 1) take(i);
  }
  return node;
}

/** The text of its first part with one of these keywords, or null. */
export function partOf(node: WktNode, ...keywords: string[]): string | null {
  return node.parts.find((part) => keywords.includes(part.keyword))?.text ?? null;
}
