import type { SetField } from '@/lib/contract/filter';

/** The short name of each set of values, in the order in which a query is written and offered. */
export const SET_NAMES = {
  class: 'failure_class',
  task: 'task_name',
  state: 'state',
  crs: 'src_crs',
  srid: 'srid',
  verdict: 'crs_verdict',
  fault: 'fault',
  error: 'error_class',
  code: 'code_version',
  sig: 'signature',
  run: 'run_id',
  source: 'source_uri',
  reason: 'unmappable_reason',
  queue: 'queue',
} as const satisfies Record<string, SetField>;
/** What takes one value, or values of another kind, by its name in the query. */
export const OTHER_NAMES = {
  since: 'since',
  until: 'until',
  key: 'work_key',
  mappable: 'mappable',
  reopened: 'reopened',
  sensitive: 'sensitive',
  place: 'place',
  bbox: 'bbox',
  polygon: 'polygon',
  text: 'q',
  id: 'ids',
} as const;

export type ConditionField = SetField | (typeof OTHER_NAMES)[keyof typeof OTHER_NAMES] | 'params';
const ALSO: Record<string, ConditionField> = {
  signature: 'signature',
  q: 'q',
  words: 'q',
  on_map: 'mappable',
  came_back: 'reopened',
  param: 'params',
};
/** Every name that the bar takes, in the order in which it offers them; a parameter is named by its path. */
export const QUERY_NAMES: readonly string[] = [...Object.keys(SET_NAMES), ...Object.keys(OTHER_NAMES)];

const BY_NAME = new Map<string, ConditionField>([
  ...Object.values(SET_NAMES).map((field): [string, ConditionField] => [field, field]),
  ...Object.values(OTHER_NAMES).map((field): [string, ConditionField] => [field, field]),
  ...Object.entries(ALSO),
  ...Object.entries(SET_NAMES),
  ...Object.entries(OTHER_NAMES),
]);
const SET_FIELD_SET = new Set<string>(Object.values(SET_NAMES));

/** The condition that a name before the colon stands for: a short name, another word for it, or the API's own. */
export function fieldNamed(name: string): ConditionField | null {
  return BY_NAME.get(name.toLowerCase()) ?? null;
}

export function isSetField(field: ConditionField | null): field is SetField {
  return field !== null && SET_FIELD_SET.has(field);
}

const SHORT = new Map<string, string>(
  [...Object.entries(SET_NAMES), ...Object.entries(OTHER_NAMES)].map(([name, field]) => [field, name]),
);
export function shortNameOf(field: ConditionField): string {
  return SHORT.get(field) ?? field;
}

/** The known name that a misspelt one is nearest to: at most two letters away, or that it begins. */
export function nearestName(name: string): string | null {
  const lower = name.toLowerCase();
  if (lower.length < 2 || lower.length > 20) return null;
  const near = [...BY_NAME.keys()]
    .map((known) => ({ known, away: known.startsWith(lower) ? 1 : lettersApart(lower, known) }))
    .filter(({ known, away }) => away <= Math.min(2, known.length - 2))
    .sort((a, b) => a.away - b.away)[0];
  return near ? shortNameOf(fieldNamed(near.known) ?? 'ids') : null;
}

/** Letters to change, add, leave out or exchange with their neighbour to make one word the other. */
function lettersApart(a: string, b: string): number {
  const rows = Array.from({ length: a.length + 1 }, (_, i) => [i, ...Array<number>(b.length).fill(0)]);
  for (let j = 1; j <= b.length; j += 1) (rows[0] as number[])[j] = j;
  const at = (i: number, j: number) => rows[i]?.[j] ?? 0;
  for (let i = 1; i <= a.length; i += 1)
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1];
      let least = Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, at(i - 2, j - 2) + 1);
      (rows[i] as number[])[j] = least;
    }
  return at(a.length, b.length);
}
