import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { classesOf, GroupsInView } from '@/components/map/groups-in-view';
import { groupOfCell, shareText } from '@/components/map/hovered';

const cell = (properties: Record<string, unknown>) => ({
  ...groupOfCell(properties),
  position: [-63.25, 42.5] as [number, number],
});
const mixed = cell({ total: 400, crs_mismatch: 397, oom: 2, other: 1, reopened: 3, cell: '8/83/94' });

describe('a share in per cent', () => {
  it('is never 0 of what is there, and never 100 of what is not all', () => {
    expect([1, 2, 398, 399, 400].map((count) => shareText(count, 400))).toEqual([
      '<1 %',
      '1 %',
      '99 %',
      '99 %',
      '100 %',
    ]);
  });
});

describe('the cells in view', () => {
  it('name their classes in the vocabulary’s order, each once', () => {
    expect(classesOf([mixed, cell({ total: 1, invalid_geometry: 1 })])).toEqual([
      'invalid_geometry',
      'crs_mismatch',
      'oom',
      'other',
    ]);
  });

  it('say their mix in words, and can be gone to and filtered to by keyboard', () => {
    const props = { groups: [mixed], cellMetres: 1000, onGo: () => {}, onFilter: () => {} };
    const html = renderToStaticMarkup(createElement(GroupsInView, props));
    expect(html).toContain('crs_mismatch 99 %, oom 1 %, other &lt;1 %, 3 came back');
    expect(html.match(/<button/g)).toHaveLength(2);
    expect(html).toContain('aria-label="Filter to 42.50° N 63.25° W"');
  });
});
