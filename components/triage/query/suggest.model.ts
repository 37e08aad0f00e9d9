import { NO_VALUE, type SetField } from '@/lib/contract/filter';
import type { ParamScalar } from '@/lib/contract/param-condition';
import type { FaultFacet, Triage } from '@/lib/contract/triage';
import { CRS_VERDICTS, FAULT_CODES, UNMAPPABLE_REASONS } from '@/lib/dead-letter/vocabulary';
import { valueText as shownValue } from '../condition.model';
import { scalarText } from './param-text.model';
import { fieldNamed, isSetField, QUERY_NAMES, SET_NAMES } from './query-names.model';
import { wordsOf } from './query-words.model';
import { isPlain, quote, runsOf } from './quoting.model';
import { valueText, wholeOf } from './read-values.model';

/** `insert` replaces the text from `from` to `to`; a name waits for its value, a value can be committed. */
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

/** Values of a field, the most frequent first; without a count where it is not known. */
export type Counted = { value: string | null; count: number | null };
export type CountedFields = Partial<Record<SetField, { values: Counted[] }>>;

/** What the caret stands in. `base`: what the word keeps before the part that is completed, which is `wanted`. */
export type Spot = { from: number; to: number; mark: string; base: string; wanted: string } & (
  | { in: 'name' }
  | { in: 'value'; name: string; field: SetField }
  | { in: 'fixed'; name: string }
  | { in: 'place' }
  | { in: 'path' }
  | { in: 'param'; path: string }
  | { in: 'nothing' }
);
/** What the server knows of the spot. */
export type Remote = {
  values?: readonly Counted[];
  params?: readonly { value: ParamScalar; count: number | null }[];
  paths?: readonly { path: string; count: number | null }[];
  places?: readonly { code: string; name: string }[];
};

const MOST = 9;
const FIXED: Record<string, readonly string[]> = {
  since: ['24h', '7d', '30d'],
  until: ['24h', '7d'],
  mappable: ['yes', 'no'],
  reopened: ['yes', 'no'],
  sensitive: ['yes', 'no'],
};
/** Words that are offered though the answer does not count them. */
const KNOWN: Partial<Record<SetField, readonly string[]>> = {
  fault: FAULT_CODES,
  crs_verdict: CRS_VERDICTS,
  unmappable_reason: UNMAPPABLE_REASONS,
};
const NAMES: readonly string[] = QUERY_NAMES.flatMap((name) =>
  name === 'since' ? ['param.', `${name}:`] : [`${name}:`],
);

/** The facets of the answer with that of faults beside them, whose counts are left out where they are lower bounds. */
export function countedFields(facets: Triage['facets'], faults: FaultFacet | null): CountedFields {
  if (!faults) return facets;
  const values = faults.capped ? faults.values.map(({ value }) => ({ value, count: null })) : faults.values;
  return { ...facets, fault: { values } };
}

/** Where in the query the caret stands. Total. */
export function spotAt(text: string, caret: number): Spot {
  const word = wordsOf(text).find(({ from, to }) => from <= caret && caret <= to);
  const from = word?.from ?? caret;
  const to = word?.to ?? caret;
  const head = text.slice(from, caret);
  const mark = head.startsWith('!') ? '!' : '';
  const typed = head.slice(mark.length);
  const param = /^params?\.(?<path>(?:[^\s"=!<>≠≤≥:]|"(?:[^"]|"")*")*)\s*(?<sign>!=|<=|>=|[=<>≠≤≥:])?/i.exec(typed);
  if (param) {
    const path = wholeOf(runsOf(param.groups?.path ?? '').runs);
    if (!param.groups?.sign) return { in: 'path', from, to, mark, base: '', wanted: path };
    return { in: 'param', path, ...lastValue(typed, param[0].length), from, to, mark };
  }
  const colon = typed.indexOf(':');
  if (typed.startsWith('"')) return { in: 'nothing', from, to, mark, base: '', wanted: typed };
  if (colon < 0) return { in: 'name', from, to, mark, base: '', wanted: typed };
  const name = typed.slice(0, colon).toLowerCase();
  const field = fieldNamed(name);
  const rest = { ...lastValue(typed, colon + 1), from, to, mark };
  if (isSetField(field)) return { in: 'value', name, field, ...rest };
  if (field === 'place') return { in: 'place', ...rest };
  if (FIXED[field ?? '']) return { in: 'fixed', name: field ?? '', ...rest, base: `${name}:` };
  return field ? { in: 'nothing', ...rest } : { in: 'name', from, to, mark, base: '', wanted: typed };
}

/** The value after the last comma outside quotes. */
function lastValue(typed: string, start: number): { base: string; wanted: string } {
  let at = start;
  let quoted = false;
  for (let i = start; i < typed.length; i += 1) {
    if (typed[i] === '"') quoted = !quoted;
    else if (typed[i] === ',' && !quoted) at = i + 1;
  }
  const rest = typed.slice(at);
  return {
    base: typed.slice(0, at),
    wanted: rest.startsWith('"') ? wholeOf(runsOf(rest).runs) : rest.replace(/^!/, ''),
  };
}

/** Completions of the spot: values of its name, or names and the values that hold the word. At most nine. */
export function suggestionsFor(spot: Spot, facets: CountedFields | null, remote: Remote = {}): Suggestion[] {
  const { from, to, mark, base } = spot;
  const wanted = spot.wanted.toLowerCase();
  const make = (insert: string, label: string, more: Partial<Suggestion> = {}): Suggestion => ({
    key: insert,
    insert: mark + insert,
    label,
    kind: null,
    count: null,
    from,
    to,
    commits: true,
    ...more,
  });
  const holds = (text: string) => text.toLowerCase().includes(wanted);
  const unique = (counted: readonly Counted[]) => [
    ...counted
      .reduce((all, each) => (all.has(each.value) ? all : all.set(each.value, each)), new Map<string | null, Counted>())
      .values(),
  ];
  const offered = (field: SetField, more: readonly Counted[] = []): Counted[] => [
    ...unique([
      ...(facets?.[field]?.values ?? []),
      ...more,
      ...(KNOWN[field] ?? []).map((value) => ({ value, count: null })),
    ]),
  ];
  const suggested = (field: SetField, name: string, { value, count }: Counted, kind: string | null) =>
    make(`${name}${valueText(field, value ?? NO_VALUE)}`, shownValue(field, value ?? NO_VALUE), { count, kind });
  switch (spot.in) {
    case 'value':
      return offered(spot.field, remote.values)
        .filter(({ value }) => holds(shownValue(spot.field, value ?? NO_VALUE)) || holds(value ?? NO_VALUE))
        .slice(0, MOST)
        .map((each) => suggested(spot.field, base, each, null));
    case 'fixed':
      return (FIXED[spot.name] ?? []).filter((each) => each.startsWith(wanted)).map((each) => make(base + each, each));
    case 'place':
      return (remote.places ?? []).slice(0, MOST).map(({ code, name }) => make(base + code, name, { kind: code }));
    case 'path':
      return (remote.paths ?? []).slice(0, MOST).map(({ path, count }) => {
        const insert = `param.${isPlain(path) && !/[:=!<>≠≤≥*]/.test(path) ? path : quote(path)}=`;
        return make(insert, path, { count, commits: false });
      });
    case 'param':
      return (remote.params ?? [])
        .filter(({ value }) => holds(String(value)))
        .slice(0, MOST)
        .map(({ value, count }) => make(base + scalarText(value), String(value), { count }));
    case 'nothing':
      return [];
  }
  const names = NAMES.filter((each) => each.startsWith(wanted)).map((each) =>
    make(each, mark + each, { commits: false }),
  );
  if (wanted === '') return names;
  const found = Object.entries(SET_NAMES)
    .flatMap(([name, field]) =>
      offered(field)
        .filter(({ value }) => value !== null && holds(value))
        .map((each) => suggested(field, `${name}:`, each, name)),
    )
    .sort((a, b) => (b.count ?? 0) - (a.count ?? 0));
  return [...names.slice(0, 4), ...found].slice(0, MOST);
}
