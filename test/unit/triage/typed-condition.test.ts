import { describe, expect, it } from 'vitest';
import { parseTyped } from '@/components/triage/typed-condition.model';
import type { Filter } from '@/lib/contract/filter';

const NOW = '2026-11-30T14:32:07.000Z';

function read(text: string, filter: Filter = {}): { filter: Filter; problems: string[] } {
  const words = parseTyped(text, NOW);
  return {
    filter: words.reduce((next, word) => (word.apply ? word.apply(next) : next), filter),
    problems: words.flatMap((word) => word.problem ?? []),
  };
}

describe('a typed condition', () => {
  it('takes the short names and the names of the API alike', () => {
    expect(read('class:oom task:tile_clip').filter).toEqual({ failure_class: ['oom'], task_name: ['tile_clip'] });
    expect(read('failure_class:oom task_name:tile_clip').filter).toEqual(read('class:oom task:tile_clip').filter);
  });

  it('excludes with ! before the name or before the value', () => {
    expect(read('!class:oom').filter).toEqual({ failure_class: ['!oom'] });
    expect(read('class:!oom').filter).toEqual({ failure_class: ['!oom'] });
  });

  it('adds several values to the same field and replaces the opposite of a value', () => {
    expect(read('class:oom,unknown', { failure_class: ['!oom', 'crs_mismatch'] }).filter).toEqual({
      failure_class: ['crs_mismatch', 'oom', 'unknown'],
    });
  });

  it('keeps spaces, commas and colons of a quoted value', () => {
    expect(read('crs:"OH-N ft, 1983"').filter).toEqual({ src_crs: ['OH-N ft, 1983'] });
    expect(read('crs:EPSG:32122').filter).toEqual({ src_crs: ['EPSG:32122'] });
  });

  it('reads none as no value where a field can be without one', () => {
    expect(read('crs:none srid:none').filter).toEqual({ src_crs: ['∅'], srid: ['∅'] });
    expect(read('task:none').filter).toEqual({ task_name: ['none'] });
  });

  it('takes faults and runs, by value, prefix, exclusion and none', () => {
    expect(read('fault:self_intersection !fault:spike run:nightly*').filter).toEqual({
      fault: ['self_intersection', '!spike'],
      run_id: ['nightly*'],
    });
    expect(read('fault:none run:none').filter).toEqual({ fault: ['∅'], run_id: ['∅'] });
  });

  it('counts since:7d back from the answer shown, to the minute', () => {
    expect(read('since:7d').filter).toEqual({ since: '2026-11-23T14:32:00.000Z' });
    expect(read('since:2026-11-24 until:2026-11-25').filter).toEqual({
      since: '2026-11-24T00:00:00.000Z',
      until: '2026-11-25T00:00:00.000Z',
    });
  });

  it('needs no name for a word that can mean only one thing', () => {
    expect(read('crs_mismatch !quarantined EPSG:4326').filter).toEqual({
      failure_class: ['crs_mismatch'],
      state: ['!quarantined'],
      src_crs: ['EPSG:4326'],
    });
  });

  it('takes key: as a prefix, with or without a star', () => {
    expect(read('key:parcels/39*').filter).toEqual({ work_key: 'parcels/39' });
  });

  it('says what is wrong with a word and applies the others', () => {
    const { filter, problems } = read('class:oom colour:red state:dead since:yesterday hello');
    expect(filter).toEqual({ failure_class: ['oom'] });
    expect(problems).toEqual([
      'there is no condition colour:',
      'dead is not one of open, redriving, redriven, in_doubt, quarantined, resolved, any',
      'since: takes 7d, 12h or 2026-11-24, not yesterday',
      'hello: begin with a name, as in class:hello',
    ]);
  });

  it('knows where each word stands in the text', () => {
    expect(parseTyped('  class:oom  x', NOW).map(({ from, to }) => [from, to])).toEqual([
      [2, 11],
      [13, 14],
    ]);
  });
});
