import { describe, expect, it } from 'vitest';
import {
  candidateNote,
  isNamed,
  leadWords,
  listedAtFirst,
  readingWords,
  shareText,
  toTileText,
} from '@/components/evidence/candidate-words.model';
import { faultsWords, numbersText } from '@/components/evidence/fault-words.model';
import type { Candidate } from '@/lib/contract/entry';

const candidate = (part: Partial<Candidate>): Candidate => ({
  crs: 'EPSG:3734',
  name: 'NAD83 / Ohio North (ftUS)',
  swapped: false,
  place: [-81.7, 41.4],
  score: 11.2,
  reason: 'same name, other unit',
  equivalents: [],
  ...part,
});

describe('the head of the candidates', () => {
  it('says by how much one leads, that one alone fits, or that none is named', () => {
    const two = [candidate({}), candidate({ crs: 'EPSG:32022', score: 7.9 })];
    expect(leadWords({ candidates: two, suggestion: 'EPSG:3734' })).toBe('A leads by 3.3; under 1.5 none is named');
    expect(leadWords({ candidates: two, suggestion: null })).toBe('Ambiguous: 2 places fit; no CRS is named');
    expect(leadWords({ candidates: two.slice(0, 1), suggestion: 'EPSG:3734' })).toBe('A alone fits');
    expect(leadWords({ candidates: two.slice(0, 1), suggestion: null })).toMatch(/no CRS is named$/);
  });

  it('names the best alone, though its CRS stands further down too', () => {
    const twice = { candidates: [candidate({}), candidate({ swapped: true })], suggestion: 'EPSG:3734' };
    expect([isNamed(twice, 0), isNamed(twice, 1), isNamed({ ...twice, suggestion: null }, 0)]).toEqual([
      true,
      false,
      false,
    ]);
  });
});

describe('the list of candidates', () => {
  it('begins with three where one is named and more than one would be left out, else has all', () => {
    const some = (count: number, suggestion: string | null) =>
      listedAtFirst({ candidates: Array.from({ length: count }, () => candidate({})), suggestion });
    expect([some(8, 'EPSG:3734'), some(4, 'EPSG:3734'), some(8, null)]).toEqual([3, 4, 8]);
  });
});

describe('the figures of a candidate', () => {
  it('say where it lies from the tile: the bearing leads the other way', () => {
    expect(toTileText({ to_tile_m: 9600, to_tile_bearing: 90 })).toBe('9.6 km W');
    expect(toTileText({ to_tile_m: 185_300, to_tile_bearing: 359 })).toBe('185.3 km S');
    expect(toTileText({ to_tile_m: 340, to_tile_bearing: 225 })).toBe('340 m NE');
    expect(toTileText({ to_tile_m: 0, to_tile_bearing: null })).toBe('0 km');
    expect(toTileText({ to_tile_m: 3_200_000, to_tile_bearing: -90 })).toBe('3,200 km E');
    expect(toTileText({ to_tile_m: null, to_tile_bearing: null })).toBe('–');
  });

  it('never round a part to none or to all', () => {
    expect([1, 0, 0.001, 0.999, 0.5, null, undefined].map(shareText)).toEqual([
      '100 %',
      '0 %',
      '<1 %',
      '>99 %',
      '50 %',
      '–',
      '–',
    ]);
  });

  it('say in words what is done to the numbers', () => {
    expect(readingWords(candidate({}))).toBe('');
    expect(readingWords(candidate({ swapped: true, x_sign: 1, y_sign: -1 }))).toBe('y,x swapped, sign of y put back');
    expect(candidateNote(candidate({ swapped: true }), 1)).toBe('B: EPSG:3734, y,x swapped');
  });
});

describe('the head of the faults', () => {
  const place = (code: string, severity: 'fails' | 'note' = 'fails') => ({
    fault: { code, severity, path: null, at: null, message: '' },
    at: null,
    vertex: null,
    where: '',
    stroke: -1,
  });
  const places = [
    place('self_intersection'),
    place('hole_outside_shell'),
    place('spike', 'note'),
    place('repeated_point', 'note'),
  ];

  it('says which will fail again once the CRS is right', () => {
    expect(faultsWords(places, 'wrong_unit')).toBe('1 and 2 will fail again once the CRS is right');
    expect(faultsWords([place('out_of_range_vertex'), ...places], 'metres_as_degrees')).toBe(
      '2 and 3 will fail again once the CRS is right',
    );
    expect(faultsWords([place('out_of_range_vertex')], 'metres_as_degrees')).toBe(
      'none will fail again once the CRS is right',
    );
  });

  it('says which make it fail where the CRS is right already', () => {
    expect(faultsWords(places, 'agrees')).toBe('1 and 2 make it fail, the rest are notes');
    expect(faultsWords(places.slice(0, 2), null)).toBe('each makes it fail');
    expect(faultsWords(places.slice(2), 'wrong_unit')).toBe('notes, which need not fail');
  });

  it('lists numbers shortly', () => {
    expect([[1], [1, 2], [1, 2, 3], [1, 3, 4], [1, 3, 5, 7, 9, 11, 13]].map(numbersText)).toEqual([
      '1',
      '1 and 2',
      '1 to 3',
      '1, 3 and 4',
      '7',
    ]);
  });
});
