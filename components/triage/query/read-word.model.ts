import { parseMoment } from '@/components/ui/time-text';
import { type Filter, filterSchema, type SetField } from '@/lib/contract/filter';
import { ERROR_CLASSES, FAILURE_CLASSES, STATES, UNMAPPABLE_REASONS } from '@/lib/dead-letter/vocabulary';
import { readBbox, readRing } from './area-text.model';
import { readParam } from './param-text.model';
import { type ConditionField, fieldNamed, isSetField, nearestName, shortNameOf } from './query-names.model';
import { type Run, runsOf } from './quoting.model';
import { filterValue, type TypedValue, valuesOf, wholeOf } from './read-values.model';

/** Why a word is no condition, and what would do. */
export type Problem = { why: string; remedy: string };
/** What one word means: the part of a filter that it says, or words to search for, which stay as typed. */
export type Reading = { part: Filter } | { words: string } | { problem: Problem };

const problem = (why: string, remedy: string): Reading => ({ problem: { why, remedy } });

const CLOSED: Partial<Record<SetField, readonly string[]>> = {
  error_class: ERROR_CLASSES,
  state: [...STATES, 'any'],
  unmappable_reason: UNMAPPABLE_REASONS,
};
const FLAGS: readonly ConditionField[] = ['mappable', 'reopened', 'sensitive'];
const YES = ['yes', 'true'];
const NO = ['no', 'false'];
/** Words that only one field knows and no error text would hold by chance. */
const OWN_WORDS: readonly [SetField, readonly string[]][] = [
  ['failure_class', FAILURE_CLASSES.filter((word) => word.includes('_'))],
  ['state', STATES.filter((word) => word.includes('_'))],
];

/** Reads one word. Total; `now` in ms or ISO is what `since:7d` counts back from. */
export function readWord(word: string, now: string | number): Reading {
  const { runs, open } = runsOf(word);
  const first = runs[0];
  if (open) return problem('the quote does not end', 'put " at its end, or write "" for a quote within quotes');
  if (!first || first.quoted) return { words: word };
  const excluded = first.text.startsWith('!');
  const head = first.text.slice(excluded ? 1 : 0);
  if (/^params?[.:]/i.test(head)) return readParam(runs, excluded);
  const colon = head.indexOf(':');
  if (colon <= 0) return bareWord(word, head, excluded);
  const name = head.slice(0, colon);
  const field = fieldNamed(name);
  if (!field) return unknownName(word, name, head, excluded);
  const rest: Run[] = [{ text: head.slice(colon + 1), quoted: false }, ...runs.slice(1)];
  return readCondition(name.toLowerCase(), field, rest, excluded, now);
}

function bareWord(word: string, head: string, excluded: boolean): Reading {
  const known = OWN_WORDS.find(([, words]) => words.includes(head));
  if (known) return { part: { [known[0]]: [excluded ? `!${head}` : head] } };
  if (excluded)
    return problem(`${word} excludes nothing`, `name what it is, as in !class:${head || 'oom'}, or quote it`);
  return { words: word };
}

function unknownName(word: string, name: string, head: string, excluded: boolean): Reading {
  if (/^(epsg|esri|ogc|iau)$/i.test(name)) {
    const { runs } = runsOf(head);
    return { part: { src_crs: valuesOf(runs).map((value) => filterValue('src_crs', value, excluded)) } };
  }
  const near = nearestName(name);
  if (near) return problem(`there is no condition ${name}:`, `write ${near}:`);
  if (head.startsWith(`${name}://`)) return problem(`${name}: is no condition`, `write source:${head}, or quote it`);
  return problem(`there is no condition ${name}:`, `quote it to search for the words: "${word.replaceAll('"', '')}"`);
}

function readCondition(
  name: string,
  field: ConditionField,
  runs: Run[],
  excluded: boolean,
  now: string | number,
): Reading {
  const whole = wholeOf(runs);
  if (isSetField(field)) return readSet(name, field, valuesOf(runs), excluded);
  if (whole === '') return problem(`${name}: has no value`, `write one behind it, as in ${example(field)}`);
  if (FLAGS.includes(field)) {
    const word = whole.toLowerCase();
    if (!YES.includes(word) && !NO.includes(word))
      return problem(`${name}: takes yes or no, not ${whole}`, `write ${name}:yes`);
    return { part: { [field]: YES.includes(word) !== excluded } };
  }
  if (excluded) return problem(`${name}: cannot be excluded`, 'leave out the !');
  if (field === 'since' || field === 'until') {
    const given = filterSchema.shape.since.safeParse(whole).success ? whole : parseMoment(whole, now);
    return given
      ? { part: { [field]: given } }
      : problem(`${name}: takes 7d, 12h or 2026-11-24, not ${whole}`, `write ${name}:7d or ${name}:2026-11-24`);
  }
  if (field === 'work_key') return checked(name, field, { work_key: whole.replace(/\*$/, '') });
  if (field === 'q') return checked(name, field, { q: whole });
  if (field === 'bbox') {
    const bbox = readBbox(whole);
    return bbox ? { part: { bbox } } : problem('bbox: takes west,south,east,north', `write ${example(field)}`);
  }
  if (field === 'polygon') {
    const polygon = readRing(whole);
    return polygon
      ? checked(name, field, { polygon })
      : problem('polygon: takes lon,lat;lon,lat;…', `write ${example(field)}`);
  }
  const values = valuesOf(runs).map(({ text }) => text);
  return checked(name, field, field === 'place' ? { place: values } : { ids: values });
}

function readSet(name: string, field: SetField, values: readonly TypedValue[], excluded: boolean): Reading {
  const known = values.map((value) => filterValue(field, value, excluded));
  if (known.length === 0 || known.includes(''))
    return problem(`${name}: has no value`, `write one, as in ${example(field)}`);
  if (values.some(({ quoted, text }) => quoted && !excluded && text.startsWith('!')))
    return problem(`a value of ${name}: cannot begin with !`, 'take the ! out of the quotes to exclude');
  const closed = CLOSED[field];
  const wrong =
    closed && known.map((value) => value.replace(/^!/, '')).find((value) => value !== '∅' && !closed.includes(value));
  if (wrong !== undefined)
    return problem(`${wrong} is not one of ${closed?.join(', ')}`, `write ${name}:${closed?.[0]}`);
  return checked(name, field, { [field]: known });
}

/** What the contract itself says against it: a value too long, a place that is no code. */
function checked(name: string, field: ConditionField, part: Filter): Reading {
  const shape = filterSchema.shape[field as keyof Filter];
  const read = shape.safeParse(part[field as keyof Filter]);
  if (read.success) return { part };
  return problem(`${name}: ${read.error.issues[0]?.message ?? 'cannot be read'}`, `write ${example(field)}`);
}

const EXAMPLES: Partial<Record<ConditionField, string>> = {
  failure_class: 'class:crs_mismatch',
  task_name: 'task:reproject*',
  state: 'state:open',
  src_crs: 'crs:EPSG:4326',
  source_uri: 'source:s3://bucket/*',
  work_key: 'key:parcels/39*',
  since: 'since:7d',
  until: 'until:2026-11-24',
  place: 'place:US-OH',
  bbox: 'bbox:-84.8,38.4,-80.5,42',
  polygon: 'polygon:-84.8,38.4;-80.5,38.4;-80.5,42',
  q: 'text:"lies outside"',
  ids: 'id:17',
};
function example(field: ConditionField): string {
  return EXAMPLES[field] ?? `${shortNameOf(field)}:…`;
}
