import { type Filter, NO_VALUE, type SetField } from '@/lib/contract/filter';
import type { Facet, FaultFacet, Triage } from '@/lib/contract/triage';
import { ERROR_CLASSES, FAILURE_CLASSES, STATES } from '@/lib/dead-letter/vocabulary';
import { valueText } from './condition.model';
import { foldedText } from './entry-text.model';

/** The rail in its order. `short` rows stand before “n more”. */
export const RAIL: readonly { field: Facet; title: string; short: number }[] = [
  { field: 'failure_class', title: 'Class', short: 8 },
  { field: 'crs_verdict', title: 'CRS verdict', short: 6 },
  { field: 'src_crs', title: 'Source CRS, as claimed', short: 5 },
  { field: 'task_name', title: 'Task', short: 4 },
  { field: 'state', title: 'State', short: 6 },
  { field: 'code_version', title: 'Code version', short: 4 },
  { field: 'error_class', title: 'Error class', short: 2 },
  { field: 'srid', title: 'SRID', short: 4 },
  { field: 'signature', title: 'Signature', short: 4 },
];

/** `share` in percent of the largest count, at least 1.5 where there is any, so that a bar shows. */
export type FacetRow = {
  value: string;
  text: string;
  title: string;
  count: number;
  share: number;
  /** The count is a lower bound. */
  at_least?: boolean;
};

const VOCABULARY: Partial<Record<Facet, readonly string[]>> = {
  failure_class: FAILURE_CLASSES,
  error_class: ERROR_CLASSES,
  state: STATES,
};

/**
 * Rows of one facet, most frequent first. Words of the vocabulary and values of the filter that the answer does not
 * name stand at the end with 0, so that nothing ticked can disappear from the rail.
 */
export function facetRows(answer: Triage, field: Facet, filter: Filter): FacetRow[] {
  const counts = new Map<string, number>();
  for (const { value, count } of answer.facets[field].values) counts.set(value ?? NO_VALUE, count);
  const ticked = (filter[field as SetField] ?? [])
    .map((value) => value.replace(/^!/, ''))
    .filter((value) => value !== 'any');
  for (const value of [...(VOCABULARY[field] ?? []), ...ticked]) if (!counts.has(value)) counts.set(value, 0);
  const largest = Math.max(1, ...counts.values());
  const signatures = new Map(answer.signatures.map((each) => [each.signature, each]));
  return [...counts]
    .map(([value, count]) => {
      const known = field === 'signature' ? signatures.get(value) : undefined;
      const title = known ? [known.error_type, known.error_text].filter(Boolean).join(': ') : value;
      return {
        value,
        text: foldedText(known?.error_text ?? null) || known?.error_type || valueText(field, value),
        title,
        count,
        share: count === 0 ? 0 : Math.max(1.5, Math.round((1000 * count) / largest) / 10),
        ...(answer.capped ? { at_least: true } : {}),
      };
    })
    .sort((a, b) => b.count - a.count);
}

/** Whether any entry that matches has been judged: until then there is nothing to filter or compare. */
export function hasVerdicts(answer: Triage): boolean {
  return answer.facets.crs_verdict.values.some(({ value }) => value !== null);
}

/** Rows of the facet of faults. What is ticked stays, with 0 where nothing was counted. */
export function faultRows({ values, capped }: FaultFacet, filter: Filter): FacetRow[] {
  const counts = new Map(values.map(({ value, count }) => [value, count]));
  for (const value of (filter.fault ?? []).map((each) => each.replace(/^!/, '')))
    if (!counts.has(value)) counts.set(value, 0);
  const largest = Math.max(1, ...counts.values());
  return [...counts].map(([value, count]) => ({
    value,
    text: valueText('fault', value),
    title: valueText('fault', value),
    count,
    share: count === 0 ? 0 : Math.max(1.5, Math.round((1000 * count) / largest) / 10),
    at_least: capped,
  }));
}

/** Columns that say the same in every row, as `task reproject_parcels`: they move into the bar over the list. */
export function constantValues(answer: Triage, filter: Filter): Map<Facet, string> {
  const constant = new Map<Facet, string>();
  for (const field of ['task_name', 'state', 'src_crs', 'crs_verdict'] as const) {
    const included = (filter[field] ?? []).filter((value) => !value.startsWith('!'));
    const counted = answer.facets[field].values.filter(({ count }) => count > 0);
    // a facet counts without its own condition: what the condition leaves of it decides
    const left = filter[field]
      ? counted.filter(
          ({ value }) => included.length === 0 || included.some((each) => matches(each, value ?? NO_VALUE)),
        )
      : counted;
    const excluded = (filter[field] ?? []).filter((value) => value.startsWith('!')).map((value) => value.slice(1));
    const kept = left.filter(({ value }) => !excluded.some((each) => matches(each, value ?? NO_VALUE)));
    const unresolvedOnly = field === 'state' && !filter.state ? kept.filter(({ value }) => value !== 'resolved') : kept;
    const only = unresolvedOnly[0];
    if (unresolvedOnly.length === 1 && only && answer.facets[field].distinct <= answer.facets[field].values.length)
      constant.set(field, valueText(field, only.value ?? NO_VALUE));
  }
  return constant;
}

function matches(condition: string, value: string): boolean {
  return condition.endsWith('*')
    ? value.startsWith(condition.slice(0, -1))
    : condition === value || condition === 'any';
}
