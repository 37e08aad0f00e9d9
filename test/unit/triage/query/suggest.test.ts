import { describe, expect, it } from 'vitest';
import {
  type CountedFields,
  countedFields,
  type Remote,
  spotAt,
  suggestionsFor,
} from '@/components/triage/query/suggest.model';
import type { Triage } from '@/lib/contract/triage';

const facets: CountedFields = {
  failure_class: { values: [{ value: 'oom', count: 3 }] },
  src_crs: {
    values: [
      { value: 'OH-N ft', count: 9 },
      { value: null, count: 2 },
    ],
  },
};
const at = (text: string, counted: CountedFields | null = facets, remote: Remote = {}) =>
  suggestionsFor(spotAt(text, text.length), counted, remote);
const inserts = (text: string, remote: Remote = {}) => at(text, facets, remote).map(({ insert }) => insert);

describe('suggestions', () => {
  it('complete a name, then offer its values with their counts', () => {
    expect(at('cl')[0]).toMatchObject({ insert: 'class:', commits: false });
    expect(at('class:')).toMatchObject([{ insert: 'class:oom', count: 3, commits: true }]);
  });

  it('quote a value with spaces, say none for no value, and keep the exclusion', () => {
    expect(inserts('!crs:')).toEqual(['!crs:"OH-N ft"', '!crs:none']);
  });

  it('complete the last of several values, a quoted one too', () => {
    expect(inserts('crs:EPSG:4326,oh')).toEqual(['crs:EPSG:4326,"OH-N ft"']);
    expect(inserts('crs:"a, b","OH-N f')).toEqual(['crs:"a, b","OH-N ft"']);
  });

  it('replace the word at the caret and leave the others', () => {
    const text = 'class:o since:7d';
    expect(suggestionsFor(spotAt(text, 7), facets)).toMatchObject([{ insert: 'class:oom', from: 0, to: 7 }]);
  });

  it('offer the codes of faults though the answer counts none', () => {
    expect(at('fault:self_i')).toMatchObject([{ insert: 'fault:self_intersection', count: null, commits: true }]);
    const counted = { values: [{ value: 'spike', count: 4 }], distinct: 1, capped: false };
    const first = (faults: typeof counted) => at('fault:', countedFields({} as Triage['facets'], faults))[0];
    expect(first(counted)).toMatchObject({ label: 'spike', count: 4 });
    expect(first({ ...counted, capped: true })).toMatchObject({ label: 'spike', count: null });
    expect(at('nested', null).map(({ insert }) => insert)).toEqual(['fault:nested_holes', 'fault:nested_shells']);
  });

  it('find a value without its name', () => {
    expect(at('oh-')).toMatchObject([{ insert: 'crs:"OH-N ft"', kind: 'crs' }]);
  });

  it('offer the paths of parameters, then the values of one as they are compared', () => {
    expect(spotAt('param.res', 9)).toMatchObject({ in: 'path', wanted: 'res' });
    expect(inserts('param.res', { paths: [{ path: 'resampling', count: 4 }] })).toEqual(['param.resampling=']);
    expect(spotAt('!param."a b"=x,"y z', 19)).toMatchObject({ in: 'param', path: 'a b', wanted: 'y z' });
    expect(inserts('param.zoom>', { params: [{ value: 3, count: 4 }] })).toEqual(['param.zoom>3']);
    expect(inserts('param.code=', { params: [{ value: '3', count: null }] })).toEqual(['param.code="3"']);
  });

  it('offer places by their names and write their codes', () => {
    const places = [{ code: 'US-OH', name: 'Ohio, United States' }];
    expect(at('place:ohi', facets, { places })).toMatchObject([
      { insert: 'place:US-OH', label: 'Ohio, United States' },
    ]);
  });
});
