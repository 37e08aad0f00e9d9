import { type Filter, filterSchema, type SetField } from '@/lib/contract/filter';
import { bboxText, ringText } from './area-text.model';
import { paramText } from './param-text.model';
import { SET_NAMES } from './query-names.model';
import { type Word, wordsOf } from './query-words.model';
import { isPlain, quote } from './quoting.model';
import { valueText } from './read-values.model';
import { type Problem, readWord } from './read-word.model';

/** A word with its place in the text, and what is wrong with it where something is. */
export type ReadWord = Word & { problem: Problem | null };
/** `filter` is what the words that could be read say together. */
export type ReadQuery = { filter: Filter; words: ReadWord[] };

/**
 * Reads a whole query, e.g. `class:crs_mismatch task:reproject* !src_crs:EPSG:4326 param.resampling=cubic since:7d`.
 * Total: a word that cannot be read is marked and does nothing. For every filter, what `queryText` writes of it reads as
 * the same filter again.
 * @param now in ms or ISO: what `since:7d` counts back from.
 */
export function readQuery(text: string, now: string | number): ReadQuery {
  const filter: Filter = {};
  const found: string[] = [];
  const words = wordsOf(text).map((word): ReadWord => {
    const reading = readWord(word.text, now);
    if ('problem' in reading) return { ...word, problem: reading.problem };
    if ('words' in reading) {
      found.push(reading.words);
      return { ...word, problem: null };
    }
    return { ...word, problem: addPart(filter, reading.part) };
  });
  if (found.length > 0) {
    const q = filter.q === undefined ? found.join(' ') : `${filter.q} ${found.join(' ')}`;
    const read = filterSchema.shape.q.safeParse(q);
    if (read.success) filter.q = q;
    else {
      const why = `the words to search for: ${read.error.issues[0]?.message ?? 'cannot be read'}`;
      const last = words.findLast((word) => word.problem === null && word.text === found.at(-1));
      if (last) last.problem = { why, remedy: 'leave some out' };
    }
  }
  return { filter, words };
}

/** Adds what one word says; says what speaks against it. */
function addPart(filter: Filter, part: Filter): Problem | null {
  for (const [name, value] of Object.entries(part)) {
    const field = name as keyof Filter;
    const before = filter[field];
    if (before === undefined) Object.assign(filter, { [field]: value });
    else if (Array.isArray(before) && Array.isArray(value) && field !== 'bbox' && field !== 'polygon') {
      const all = [...before, ...value];
      const read = filterSchema.shape[field].safeParse(all);
      if (!read.success) return { why: `too many values: ${read.error.issues[0]?.message}`, remedy: 'leave some out' };
      Object.assign(filter, { [field]: all });
    } else return { why: `${name} is there already`, remedy: 'keep one of the two' };
  }
  return null;
}

/** The query that says a filter, in a fixed order. */
export function queryText(filter: Filter): string {
  const words: string[] = [];
  for (const [name, field] of Object.entries(SET_NAMES)) words.push(...setWords(name, field, filter[field] ?? []));
  for (const param of filter.params ?? []) words.push(paramText(param));
  for (const field of ['mappable', 'reopened', 'sensitive'] as const)
    if (filter[field] !== undefined) words.push(`${field}:${filter[field] ? 'yes' : 'no'}`);
  for (const field of ['since', 'until'] as const)
    if (filter[field] !== undefined) words.push(`${field}:${filter[field]}`);
  if (filter.work_key !== undefined) words.push(`key:${plainOrQuoted(filter.work_key)}*`);
  if (filter.place) words.push(`place:${filter.place.map(plainOrQuoted).join(',')}`);
  if (filter.bbox) words.push(`bbox:${bboxText(filter.bbox)}`);
  if (filter.polygon) words.push(`polygon:${ringText(filter.polygon)}`);
  if (filter.ids) words.push(`id:${filter.ids.join(',')}`);
  if (filter.q !== undefined) words.push(wordsText(filter.q));
  return words.join(' ');
}

const plainOrQuoted = (value: string) => (isPlain(value) ? value : quote(value));

/** Neighbours that both include or both exclude share a word; the order of the values stays. */
function setWords(name: string, field: SetField, values: readonly string[]): string[] {
  const words: { excluded: boolean; values: string[] }[] = [];
  for (const value of values) {
    const excluded = value.startsWith('!');
    const text = valueText(field, excluded ? value.slice(1) : value);
    const last = words.at(-1);
    if (last?.excluded === excluded) last.values.push(text);
    else words.push({ excluded, values: [text] });
  }
  return words.map(({ excluded, values: texts }) => `${excluded ? '!' : ''}${name}:${texts.join(',')}`);
}

/** Words to search for as they are, unless one of them would be read as something else. */
function wordsText(q: string): string {
  const { filter, words } = readQuery(q, 0);
  const isSame = filter.q === q && Object.keys(filter).length === 1 && words.every((word) => word.problem === null);
  return isSame ? q : `text:${quote(q)}`;
}
