import { describe, expect, it } from 'vitest';
import { conditionCommands } from '@/components/triage/palette/condition-commands';
import { pageCommands } from '@/components/triage/palette/page-commands';
import type { TriagePage } from '@/components/triage/palette/page-context';
import { START } from '@/components/triage/triage-url.model';
import { FACETS } from '@/lib/contract/triage';

const none = { values: [], distinct: 0 };
const page = (capped: boolean) =>
  ({
    state: START,
    scope: null,
    shown: {
      filter: {},
      answer: {
        total: 50_000,
        capped,
        signatures: [],
        facets: {
          ...Object.fromEntries(FACETS.map((facet) => [facet, none])),
          failure_class: { values: [{ value: 'oom', count: 1200 }], distinct: 1 },
        },
      },
    },
  }) as unknown as TriagePage;

describe('counts in the palette', () => {
  it('say where they are lower bounds', () => {
    const counts = (capped: boolean) => [
      pageCommands(page(capped)).find(({ id }) => id === 'export csv')?.count,
      conditionCommands(page(capped), () => {})[0]?.count,
    ];
    expect(counts(true)).toEqual(['50,000+', '1,200+']);
    expect(counts(false)).toEqual(['50,000', '1,200']);
  });
});
