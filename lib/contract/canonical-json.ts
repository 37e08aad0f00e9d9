import { afterScalar, afterSpace, afterString, decoded } from './raw-member';

interface Open {
  /** Of an object: the name of the member that is being read. */
  name: string | null;
  is_object: boolean;
  members: { name: string; text: string }[];
}

/**
 * One text for all JSON texts that differ only in the order of members, white space and the spelling of strings. Numbers
 * stay as they are written: `-0`, `1e21` and integers past 2^53 are not what a double makes of them. Members of one name
 * keep their order. Any depth. `text` is one that JSON.parse has accepted.
 */
export function canonicalJson(text: string): string {
  const open: Open[] = [];
  let whole = '';
  const put = (value: string) => {
    const into = open.at(-1);
    if (!into) whole = value;
    else into.members.push({ name: into.name ?? '', text: value });
    if (into) into.name = null;
  };
  for (let i = afterSpace(text, 0); i < text.length; i = afterSpace(text, i)) {
    const c = text[i] as string;
    if (c === '{' || c === '[') {
      open.push({ name: null, is_object: c === '{', members: [] });
      i += 1;
    } else if (c === '}' || c === ']') {
      const closed = open.pop() as Open;
      put(textOf(closed));
      i += 1;
    } else if (c === ',' || c === ':') {
      i += 1;
    } else if (c === '"') {
      const end = afterString(text, i);
      const value = decoded(text.slice(i, end));
      const into = open.at(-1);
      if (into?.is_object && into.name === null) into.name = value;
      else put(JSON.stringify(value));
      i = end;
    } else {
      const end = afterScalar(text, i);
      put(text.slice(i, end));
      i = end;
    }
  }
  return whole;
}

function textOf({ is_object, members }: Open): string {
  if (!is_object) return `[${members.map(({ text }) => text).join(',')}]`;
  const sorted = members.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  return `{${sorted.map(({ name, text }) => `${JSON.stringify(name)}:${text}`).join(',')}}`;
}
