import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Command,
  findCommands,
  LATELY,
  MAX_SHOWN,
  readLately,
  score,
  withLately,
} from '@/components/triage/palette/command.model';

const command = (id: string, title: string, detail?: string): Command => ({
  id,
  group: 'Things',
  title,
  ...(detail ? { detail } : {}),
  run: () => {},
});
const ALL = [
  command('ops', 'Operations'),
  command('crs', 'Filter: class crs_mismatch'),
  command('claim', 'Filter: CRS EPSG:4326'),
  command('csv', 'Export as csv', 'download file'),
  command('dark', 'Theme: dark'),
];
const ids = (query: string, lately: string[] = []) => findCommands(ALL, query, lately).map(({ id }) => id);

describe('finding a command', () => {
  it('takes whole words before parts of words, and parts before letters in order', () => {
    expect(ids('crs')).toEqual(['claim', 'crs']);
    expect(ids('filter crs_m')).toEqual(['crs']);
    expect(ids('opns')).toEqual(['ops']);
    expect(ids('mism')[0]).toBe('crs');
    expect(ids('zzz')).toEqual([]);
  });

  it('needs every word, in any order and case, and looks at the faint words last', () => {
    expect(ids('DARK theme')).toEqual(['dark']);
    expect(ids('dark operations')).toEqual([]);
    expect(ids('download')).toEqual(['csv']);
  });

  it('puts what was run lately first while nothing is typed, and before its equals after', () => {
    const shown = findCommands(ALL, ' ', ['dark', 'gone', 'csv']);
    expect(shown.map(({ id }) => id)).toEqual(['dark', 'csv', 'ops', 'crs', 'claim']);
    expect(shown.map(({ group }) => group).slice(0, 3)).toEqual([LATELY, LATELY, 'Things']);
    expect(ids('crs', ['crs'])).toEqual(['crs', 'claim']);
  });

  it('finds every text by itself, by any of its words and by nothing, whatever it holds', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }), fc.string(), (text, query) => {
        expect(score('', text)).toBe(0);
        for (const word of text.split(/\s+/).filter(Boolean)) expect(score(word, text)).not.toBeNull();
        const found = score(query, text);
        expect(found === null || Number.isFinite(found)).toBe(true);
      }),
    );
    const many = Array.from({ length: 500 }, (_, i) => command(`${i}`, `Filter: code ${i}`));
    expect(findCommands(many, 'code', [])).toHaveLength(MAX_SHOWN);
  });

  it('remembers eight commands, each once, and nothing that the browser cannot have kept', () => {
    expect(withLately(['a', 'b'], 'b')).toEqual(['b', 'a']);
    expect(Array.from('abcdefghij').reduce<string[]>(withLately, [])).toEqual([...'jihgfedc']);
    expect(readLately('["a", 3, "a", "b"]')).toEqual(['a', 'b']);
    expect([readLately('{'), readLately('{"a":1}'), readLately(null)]).toEqual([[], [], []]);
  });
});
