import { NO_VALUE, type SetField } from '@/lib/contract/filter';
import type { FaultFacet, Triage } from '@/lib/contract/triage';
import { CRS_VERDICTS, FAULT_CODES, UNMAPPABLE_REASONS } from '@/lib/dead-letter/vocabulary';
import { valueText } from './condition.model';
import { CONDITION_NAMES, fieldNamed, splitWords, TYPED_NAMES } from './typed-condition.model';

/** `insert` replaces the text from `from` to `to`; a name (ending in `:`) waits for its value, a value is committed. */
export type Suggestion = {
  key: string;
  insert: string;
  label: string;
  /** What kind of value it is, where the name was not typed. */
  kind: string | null;
  count: number | null;
  from: number;
  to: number;
  commits: boolean;
};

const FIXED: Record<string, string[]> = {
  since: ['24h', '7d', '30d'],
  until: ['24h', '7d'],
  came_back: ['yes', 'no'],
  on_map: ['yes', 'no'],
  sensitive: ['yes', 'no'],
};
/** Words that are offered though the answer does not count them. */
const KNOWN: Record<string, readonly string[]> = {
  fault: FAULT_CODES,
  crs_verdict: CRS_VERDICTS,
  unmappable_reason: UNMAPPABLE_REASONS,
};
const FACET_NAMES = Object.entries(CONDITION_NAMES) as [string, string][];
const quoted = (value: string) => (/[\s,"]/.test(value) ? `"${value.replaceAll('"', '')}"` : value);

/** Values of a field, the most frequent first; without a count where it is not known. */
type Counted = { value: string | null; count: number | null };
export type CountedFields = Partial<Record<SetField, { values: Counted[] }>>;

/** The facets of the answer with that of faults beside them, whose counts are left out where they are lower bounds. */
export function countedFields(facets: Triage['facets'], faults: FaultFacet | null): CountedFields {
  if (!faults) return facets;
  const values = faults.capped ? faults.values.map(({ value }) => ({ value, count: null })) : faults.values;
  return { ...facets, fault: { values } };
}

/** Completions of the word at `caret`: values of its name, or names and the values that hold the word. At most nine. */
export function suggestionsFor(text: string, caret: number, facets: CountedFields | null): Suggestion[] {
  const at = splitWords(text).find((word) => word.from <= caret && caret <= word.to);
  const from = at?.from ?? caret;
  const word = (at?.text ?? '').slice(0, caret - from);
  const place = { from, to: at?.to ?? caret };
  const mark = word.startsWith('!') ? '!' : '';
  const colon = word.indexOf(':');
  const name = colon < 0 ? '' : word.slice(mark.length, colon).toLowerCase();
  const field = fieldNamed(name);
  const wanted = (colon < 0 ? word.slice(mark.length) : word.slice(colon + 1)).toLowerCase();
  const values = (facet: string): Counted[] => {
    const counted = facets?.[facet as SetField]?.values ?? [];
    const named = new Set(counted.map(({ value }) => value));
    const rest = (KNOWN[facet] ?? []).filter((value) => !named.has(value));
    return [...counted, ...rest.map((value) => ({ value, count: null }))];
  };
  const textOf = (value: string | null) => value ?? NO_VALUE;
  const make = (typedName: string, value: string, count: number | null, kind: string | null): Suggestion => {
    const words = value === NO_VALUE ? 'none' : value;
    const label = field ? valueText(field, value) : words;
    return {
      key: `${typedName}:${value}`,
      insert: `${mark}${typedName}:${quoted(words)}`,
      label,
      kind,
      count,
      ...place,
      commits: true,
    };
  };
  if (field)
    return values(field)
      .filter(
        ({ value }) =>
          valueText(field, textOf(value)).toLowerCase().includes(wanted) ||
          textOf(value).toLowerCase().includes(wanted),
      )
      .slice(0, 9)
      .map(({ value, count }) => make(name, textOf(value), count, null));
  if (FIXED[name])
    return FIXED[name].filter((each) => each.startsWith(wanted)).map((each) => make(name, each, null, null));
  if (colon >= 0 && TYPED_NAMES.includes(name)) return [];
  const names: Suggestion[] = TYPED_NAMES.filter((each) => each.startsWith(wanted)).map((each) => ({
    key: each,
    insert: `${mark}${each}:`,
    label: `${mark}${each}:`,
    kind: null,
    count: null,
    ...place,
    commits: false,
  }));
  if (wanted === '') return names;
  const whole = word.slice(mark.length).toLowerCase();
  const found = FACET_NAMES.flatMap(([typedName, facet]) =>
    values(facet)
      .filter(({ value }) => value?.toLowerCase().includes(whole))
      .map(({ value, count }) => make(typedName, textOf(value), count, typedName)),
  ).sort((a, b) => (b.count ?? 0) - (a.count ?? 0));
  return [...names.slice(0, 4), ...found].slice(0, 9);
}
