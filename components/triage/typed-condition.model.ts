import { parseMoment } from '@/components/ui/time-text';
import { type Filter, NO_VALUE, type SetField } from '@/lib/contract/filter';
import { ERROR_CLASSES, FAILURE_CLASSES, STATES, UNMAPPABLE_REASONS } from '@/lib/dead-letter/vocabulary';
import { withValues } from './condition.model';

/** The words before the colon, with the field each stands for. The API's own names are taken as well. */
export const CONDITION_NAMES = {
  class: 'failure_class',
  error: 'error_class',
  verdict: 'crs_verdict',
  crs: 'src_crs',
  srid: 'srid',
  task: 'task_name',
  state: 'state',
  code: 'code_version',
  signature: 'signature',
  queue: 'queue',
  reason: 'unmappable_reason',
  fault: 'fault',
  run: 'run_id',
} as const satisfies Record<string, SetField>;
const OTHER_NAMES = ['since', 'until', 'key', 'came_back', 'on_map', 'sensitive'] as const;
/** Every name that the bar takes, in the order in which it offers them. */
export const TYPED_NAMES: readonly string[] = [...Object.keys(CONDITION_NAMES), ...OTHER_NAMES];

const FLAGS = {
  came_back: 'reopened',
  reopened: 'reopened',
  on_map: 'mappable',
  mappable: 'mappable',
  sensitive: 'sensitive',
} as const;
const CLOSED: Partial<Record<SetField, readonly string[]>> = {
  error_class: ERROR_CLASSES,
  state: [...STATES, 'any'],
  unmappable_reason: UNMAPPABLE_REASONS,
};
const NULLABLE: readonly SetField[] = [
  'src_crs',
  'srid',
  'code_version',
  'crs_verdict',
  'unmappable_reason',
  'fault',
  'run_id',
];

/** One word as typed: `from` and `to` are its place in the text; either its effect on a filter, or what is wrong. */
export type TypedWord = { text: string; from: number; to: number } & (
  | { apply: (filter: Filter) => Filter; problem: null }
  | { apply: null; problem: string }
);

export function fieldNamed(name: string): SetField | null {
  const lower = name.toLowerCase();
  if (lower in CONDITION_NAMES) return CONDITION_NAMES[lower as keyof typeof CONDITION_NAMES];
  return Object.values(CONDITION_NAMES).find((field) => field === lower) ?? null;
}

/** Splits at spaces outside quotes; `"` keeps spaces and commas in a value. */
export function splitWords(text: string): { text: string; from: number; to: number }[] {
  return [...text.matchAll(/(?:"[^"]*"?|[^\s"])+/g)].map((match) => ({
    text: match[0],
    from: match.index,
    to: match.index + match[0].length,
  }));
}

/** Reads what was typed, e.g. `class:oom !task:tile_clip since:7d key:parcels/39`. Total; `now` in ms or ISO. */
export function parseTyped(text: string, now: string | number): TypedWord[] {
  return splitWords(text).map((word) => {
    const read = readWord(word.text, now);
    return typeof read === 'string' ? { ...word, apply: null, problem: read } : { ...word, apply: read, problem: null };
  });
}

function valuesOf(text: string): string[] {
  return [...text.matchAll(/"([^"]*)"?|([^,"]+)/g)].map((match) => (match[1] ?? match[2] ?? '').trim()).filter(Boolean);
}

function readWord(word: string, now: string | number): ((filter: Filter) => Filter) | string {
  const colon = word.indexOf(':');
  const bare = bareWord(word);
  if (colon < 0) return bare ?? `${word}: begin with a name, as in class:${word}`;
  const excluded = word.startsWith('!');
  const name = word.slice(excluded ? 1 : 0, colon).toLowerCase();
  const values = valuesOf(word.slice(colon + 1));
  const field = fieldNamed(name);
  if (!field && !(OTHER_NAMES as readonly string[]).includes(name) && !(name in FLAGS) && name !== 'work_key')
    return bare ?? `there is no condition ${name}:`;
  const value = values[0];
  if (value === undefined) return `${name}: needs a value`;
  if (field) return setCondition(field, values, excluded);
  if (name === 'since' || name === 'until') {
    const at = parseMoment(value, now);
    if (excluded) return `${name}: cannot be excluded`;
    return at ? (filter) => ({ ...filter, [name]: at }) : `${name}: takes 7d, 12h or 2026-11-24, not ${value}`;
  }
  if (name in FLAGS) {
    const flag = FLAGS[name as keyof typeof FLAGS];
    if (value !== 'yes' && value !== 'no') return `${name}: takes yes or no, not ${value}`;
    return (filter) => ({ ...filter, [flag]: (value === 'yes') !== excluded });
  }
  if (excluded) return `${name}: cannot be excluded`;
  return (filter) => ({ ...filter, work_key: value.replace(/\*$/, '') });
}

function setCondition(field: SetField, values: string[], excluded: boolean): ((filter: Filter) => Filter) | string {
  const words = values.map((value) => {
    const inverted = value.startsWith('!');
    const plain = inverted ? value.slice(1) : value;
    const known = plain === 'none' && NULLABLE.includes(field) ? NO_VALUE : plain;
    return { plain: known, text: excluded || inverted ? `!${known}` : known };
  });
  const closed = CLOSED[field];
  const wrong = closed && words.find(({ plain }) => plain !== NO_VALUE && !closed.includes(plain));
  if (wrong) return `${wrong.plain} is not one of ${closed.join(', ')}`;
  return (filter) => {
    const fresh = words.map(({ text }) => text);
    const opposite = fresh.map((text) => (text.startsWith('!') ? text.slice(1) : `!${text}`));
    const kept = (filter[field] ?? []).filter((each) => !fresh.includes(each) && !opposite.includes(each));
    return withValues(filter, field, [...kept, ...fresh]);
  };
}

/** A word that can mean only one thing needs no name: `crs_mismatch`, `!open`, `EPSG:4326`. */
function bareWord(word: string): ((filter: Filter) => Filter) | null {
  const excluded = word.startsWith('!');
  const plain = excluded ? word.slice(1) : word;
  const field: SetField | null = (FAILURE_CLASSES as readonly string[]).includes(plain)
    ? 'failure_class'
    : (STATES as readonly string[]).includes(plain)
      ? 'state'
      : (ERROR_CLASSES as readonly string[]).includes(plain)
        ? 'error_class'
        : /^(epsg|esri|ogc|iau):/i.test(plain)
          ? 'src_crs'
          : null;
  const condition = field ? setCondition(field, [plain], excluded) : null;
  return typeof condition === 'function' ? condition : null;
}
