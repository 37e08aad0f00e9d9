import { periodText } from '@/components/ui/time-text';
import { type Filter, NO_VALUE, SET_FIELDS, type SetField } from '@/lib/contract/filter';
import type { ParamCondition } from '@/lib/contract/param-condition';
import { reasonText } from './ledger.model';

/** What a condition is called on the page; the address and the API keep the field's name. */
export const FIELD_LABELS: Record<SetField, string> = {
  queue: 'queue',
  state: 'state',
  failure_class: 'class',
  error_class: 'error class',
  task_name: 'task',
  src_crs: 'CRS',
  srid: 'SRID',
  code_version: 'code',
  signature: 'signature',
  crs_verdict: 'verdict',
  unmappable_reason: 'not on the map',
  fault: 'fault',
  run_id: 'run',
  source_uri: 'source',
};
/** Fields whose values are keys or codes rather than words. */
export const MONO_FIELDS: readonly SetField[] = [
  'task_name',
  'src_crs',
  'srid',
  'code_version',
  'signature',
  'run_id',
  'source_uri',
];

/** One chip of the filter bar: what it says, and the filter without it. */
export type Condition = {
  key: string;
  label: string;
  text: string;
  mono: boolean;
  excluded: boolean;
  /** What it says, alone. */
  part: Filter;
  without: Filter;
};

const isExclusion = (value: string) => value.startsWith('!');

/** A value as the page shows it: `none` for no value, a signature by its first eight characters. */
export function valueText(field: SetField, value: string): string {
  if (value === NO_VALUE) return 'none';
  if (field === 'signature') return value.slice(0, 8);
  if (field === 'unmappable_reason') return reasonText(value);
  return value;
}

function oneOf(words: string[]): string {
  const shown = words.length > 3 ? [...words.slice(0, 2), `${words.length - 2} more`] : words;
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} or ${shown.at(-1)}`;
}

/** The filter with `field` set to `values`, or without the field when there are none. */
export function withValues(filter: Filter, field: SetField, values: string[]): Filter {
  const { [field]: _, ...rest } = filter;
  return values.length === 0 ? rest : { ...rest, [field]: values };
}

const FLAG_LABELS = { mappable: 'on the map', sensitive: 'sensitive', reopened: 'came back' } as const;

/** `cubic`, `not cubic`, `> 3`, `a or b`, `is given`. */
function paramWords({ op, value }: ParamCondition): string {
  if (op === 'exists') return 'is given';
  const words = (Array.isArray(value) ? value : [value]).map(String);
  if (op === '=' || op === 'in') return oneOf(words);
  return op === '!=' ? `not ${words[0]}` : `${op} ${words[0]}`;
}

/** The filter without some fields, and those alone. */
function split(filter: Filter, fields: readonly (keyof Filter)[]): [without: Filter, part: Filter] {
  const isOwn = ([name]: [string, unknown]) => (fields as readonly string[]).includes(name);
  const all = Object.entries(filter);
  return [Object.fromEntries(all.filter((each) => !isOwn(each))), Object.fromEntries(all.filter(isOwn))];
}

/**
 * Every condition in a fixed order; a field that both includes and excludes makes two, and each parameter one.
 * `places`: names of places by their code, where they are known.
 */
export function conditionsOf(
  filter: Filter,
  now: string | number,
  places: ReadonlyMap<string, string> | null = null,
): Condition[] {
  const found: Condition[] = [];
  for (const field of SET_FIELDS) {
    const values = filter[field] ?? [];
    for (const excluded of [false, true]) {
      const own = values.filter((value) => isExclusion(value) === excluded);
      if (own.length === 0) continue;
      found.push({
        key: `${excluded ? '!' : ''}${field}`,
        label: FIELD_LABELS[field],
        text: oneOf(own.map((value) => valueText(field, excluded ? value.slice(1) : value))),
        mono: MONO_FIELDS.includes(field),
        excluded,
        part: { [field]: own },
        without: withValues(
          filter,
          field,
          values.filter((value) => !own.includes(value)),
        ),
      });
    }
  }
  const plain = (key: string, label: string, text: string, fields: readonly (keyof Filter)[], mono = false) => {
    const [without, part] = split(filter, fields);
    found.push({ key, label, text, mono, excluded: false, part, without });
  };
  for (const [i, param] of (filter.params ?? []).entries()) {
    const { params, ...rest } = filter;
    const others = (params ?? []).filter((_, at) => at !== i);
    found.push({
      key: `params ${i}`,
      label: `param ${param.path}`,
      text: paramWords(param),
      mono: true,
      excluded: false,
      part: { params: [param] },
      without: others.length > 0 ? { ...rest, params: others } : rest,
    });
  }
  for (const flag of ['mappable', 'sensitive', 'reopened'] as const)
    if (filter[flag] !== undefined) plain(flag, FLAG_LABELS[flag], filter[flag] ? 'yes' : 'no', [flag]);
  if (filter.since || filter.until)
    plain('period', 'failed', periodText(filter.since, filter.until, now), ['since', 'until']);
  if (filter.place) plain('place', 'touches', oneOf(filter.place.map((code) => places?.get(code) ?? code)), ['place']);
  if (filter.bbox) plain('bbox', 'in box', filter.bbox.map((value) => +value.toFixed(2)).join(', '), ['bbox'], true);
  if (filter.polygon) plain('polygon', 'touches', `an area of ${filter.polygon.length} corners`, ['polygon']);
  if (filter.work_key) plain('work_key', 'key', `${filter.work_key}…`, ['work_key'], true);
  if (filter.q) plain('q', 'text', filter.q, ['q']);
  if (filter.ids)
    plain('ids', 'ids', filter.ids.length > 2 ? `${filter.ids.length} entries` : filter.ids.join(', '), ['ids'], true);
  return found;
}

/** Adds a value, or takes it away where it is already there; an exclusion of it is replaced. */
export function toggleValue(filter: Filter, field: SetField, value: string): Filter {
  const values = filter[field] ?? [];
  const kept = values.filter((each) => each !== value && each !== `!${value}` && each !== 'any');
  return withValues(filter, field, values.includes(value) ? kept : [...kept, value]);
}

/** Excludes a value, or stops excluding it; an inclusion of it is replaced. */
export function toggleExclusion(filter: Filter, field: SetField, value: string): Filter {
  const values = filter[field] ?? [];
  const kept = values.filter((each) => each !== value && each !== `!${value}` && each !== 'any');
  return withValues(filter, field, values.includes(`!${value}`) ? kept : [...kept, `!${value}`]);
}

export type Tick = 'included' | 'excluded' | 'none';

export function tickOf(filter: Filter, field: SetField, value: string): Tick {
  const values = filter[field] ?? [];
  if (values.includes(value)) return 'included';
  return values.includes(`!${value}`) ? 'excluded' : 'none';
}
