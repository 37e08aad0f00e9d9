import { boundText } from '@/components/ui/number-text';
import { type Filter, filterToSearch, NO_VALUE, type SetField } from '@/lib/contract/filter';
import { FACETS } from '@/lib/contract/triage';
import { ERROR_CLASSES, FAILURE_CLASSES, STATES } from '@/lib/dead-letter/vocabulary';
import { FIELD_LABELS, toggleValue, valueText } from '../condition.model';
import { foldedText } from '../entry-text.model';
import type { Command } from './command.model';
import type { TriagePage } from './page-context';

/** Of a facet the palette offers the most frequent values. */
const VALUES = 30;
const VOCABULARY: [SetField, readonly string[]][] = [
  ['failure_class', FAILURE_CLASSES],
  ['state', STATES],
  ['error_class', ERROR_CLASSES],
];

/** `Filter: class crs_mismatch`: the values that the shown answer counts, or elsewhere the words that there always are. */
export function conditionCommands(page: TriagePage | null, visit: (search: string) => void): Command[] {
  if (!page?.shown)
    return VOCABULARY.flatMap(([field, values]) =>
      values.map((value) => condition(field, value, null, () => visit(`?${filterToSearch({ [field]: [value] })}`))),
    );
  const { answer } = page.shown;
  const texts = new Map(answer.signatures.map((each) => [each.signature, each]));
  return FACETS.flatMap((facet) =>
    answer.facets[facet].values.slice(0, VALUES).map(({ value, count }) => {
      const own = value ?? NO_VALUE;
      const known = facet === 'signature' ? texts.get(own) : undefined;
      const detail = known && [known.error_type, foldedText(known.error_text)].filter(Boolean).join(': ');
      return condition(
        facet,
        own,
        boundText(count, answer.capped),
        () => page.setFilter(toggled(page.state.filter, facet, own)),
        detail,
      );
    }),
  );
}

/** The filter with the value in it: one that is there already stays. */
function toggled(filter: Filter, field: SetField, value: string): Filter {
  return filter[field]?.includes(value) ? filter : toggleValue(filter, field, value);
}

function condition(field: SetField, value: string, count: string | null, run: () => void, detail?: string): Command {
  return {
    id: `filter ${field} ${value}`,
    group: 'Filter',
    title: `Filter: ${FIELD_LABELS[field]} ${valueText(field, value)}`,
    ...(detail ? { detail } : {}),
    ...(count === null ? {} : { count }),
    run,
  };
}
