import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { polygonProblem } from '@/lib/contract/area-polygon';
import {
  type Filter,
  FilterError,
  filterFromSearch,
  filterToSearch,
  parseFilter,
  SET_FIELDS,
} from '@/lib/contract/filter';
import { PARAM_OPS, type ParamCondition, paramFromText, paramText } from '@/lib/contract/param-condition';
import { paramPathText, readParamPath } from '@/lib/contract/param-path';
import { searchWords } from '@/lib/contract/search-words';
import { STATES } from '@/lib/dead-letter/vocabulary';

const read = (text: string): Filter => filterFromSearch(new URLSearchParams(text));
const problem = (text: string): string => {
  try {
    read(text);
  } catch (error) {
    if (error instanceof FilterError) return `${error.parameter} | ${error.message}`;
  }
  return 'no error';
};

const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 12 });
const values = fc.array(text, { minLength: 1, maxLength: 3 });
const degrees = (most: number) => fc.double({ min: -most, max: most, noNaN: true }).map((value) => value + 0);
const safeNumber = fc.oneof(fc.integer(), fc.double({ noNaN: true, min: -9e15, max: 9e15 })).map((value) => value + 0);
const scalar = fc.oneof(
  text,
  safeNumber,
  fc.boolean(),
  fc.constant(null),
  fc.constantFrom('', 'true', '3', '[1]', ' x', '=', 'in'),
);
const path = fc.array(fc.oneof(text, fc.constantFrom('zoom', '0', 'in', 'exists', 'a.b', 'a"b', '[0]', '')), {
  minLength: 1,
  maxLength: 4,
});
const condition: fc.Arbitrary<ParamCondition> = fc
  .tuple(
    path.map(paramPathText),
    fc.constantFrom(...PARAM_OPS),
    scalar,
    fc.oneof(text, safeNumber),
    fc.array(scalar, { minLength: 1, maxLength: 3 }),
  )
  .map(([path, op, single, ordered, list]) => {
    if (op === 'exists') return { path, op };
    return { path, op, value: op === 'in' ? list : op === '=' || op === '!=' ? single : ordered };
  });
const filter = fc.record(
  {
    ...(Object.fromEntries(SET_FIELDS.map((field) => [field, values])) as Record<'source_uri', typeof values>),
    state: fc.array(fc.constantFrom(...STATES, '!open', 'any'), { minLength: 1, maxLength: 2 }),
    error_class: fc.array(fc.constantFrom('fatal', '!transient'), { minLength: 1, maxLength: 2 }),
    mappable: fc.boolean(),
    since: fc.constant('2026-11-20T10:00:00.123456Z'),
    bbox: fc.tuple(degrees(180), degrees(90), degrees(180), degrees(90)),
    polygon: fc.array(fc.tuple(degrees(90), degrees(90)), { minLength: 3, maxLength: 12 }),
    place: fc.array(fc.constantFrom('US', 'US-OH', 'FR-75'), { minLength: 1, maxLength: 2 }),
    work_key: text,
    q: text.filter((one) => searchWords(one).length > 0),
    params: fc.array(condition, { minLength: 1, maxLength: 3 }),
    ids: fc.array(fc.constantFrom('1', '99'), { minLength: 1, maxLength: 2 }),
  },
  { requiredKeys: [] },
);

describe('the filter in an address', () => {
  test('reads back as it was written', () => {
    fc.assert(
      fc.property(filter, (given) => {
        const address = filterToSearch(given as Filter).toString();
        expect(read(address)).toEqual(given);
        expect(parseFilter(JSON.parse(JSON.stringify(given)))).toEqual(given);
      }),
      { numRuns: 500 },
    );
  });

  test('raises nothing but an error that names the parameter, whatever the text', () => {
    const name = fc.constantFrom('polygon', 'place', 'q', 'params', 'source_uri');
    fc.assert(
      fc.property(name, fc.string({ unit: 'binary', maxLength: 30 }), (parameter, value) => {
        try {
          filterFromSearch(new URLSearchParams([[parameter, value]]));
        } catch (error) {
          expect(error).toBeInstanceOf(FilterError);
          expect((error as FilterError).parameter).toBe(parameter);
        }
      }),
      { numRuns: 500 },
    );
  });

  test('takes the forms that people write', () => {
    expect(read('polygon=0,0%2010,0%2010,10.5').polygon).toEqual([
      [0, 0],
      [10, 0],
      [10, 10.5],
    ]);
    expect(read('place=US-OH&place=FR').place).toEqual(['US-OH', 'FR']);
    expect(read('source_uri=s3://a/*&source_uri=!s3://a/b.tif').source_uri).toEqual(['s3://a/*', '!s3://a/b.tif']);
    const params = [
      'resampling=cubic',
      'zoom>3',
      'tile.zoom <= 3.5',
      'mode in ["a","b"]',
      'x exists',
      'id="3"',
      'flag!=true',
      'a."b.c"= two words',
    ];
    expect(filterFromSearch(new URLSearchParams(params.map((one) => ['params', one]))).params).toEqual([
      { path: 'resampling', op: '=', value: 'cubic' },
      { path: 'zoom', op: '>', value: 3 },
      { path: 'tile.zoom', op: '<=', value: 3.5 },
      { path: 'mode', op: 'in', value: ['a', 'b'] },
      { path: 'x', op: 'exists' },
      { path: 'id', op: '=', value: '3' },
      { path: 'flag', op: '!=', value: true },
      { path: 'a."b.c"', op: '=', value: 'two words' },
    ]);
  });

  test('says which parameter is wrong, and what it takes', () => {
    expect(problem('polygon=1,2')).toMatch(/^polygon \| polygon: takes 3 to 500 vertices.*not 1$/);
    expect(problem('polygon=1,2 3,x 4,5')).toMatch(/^polygon \| polygon takes 3 to 500.*not “1,2 3,x 4,5”$/);
    expect(problem('polygon=1,2 3,4,9 4,5')).toMatch(/^polygon \| polygon takes 3 to 500/);
    expect(problem('polygon=0,0 0,91 1,1')).toMatch(/latitudes lie within ±90, 91 does not/);
    expect(problem('polygon=0,0 541,0 1,1')).toMatch(/longitudes lie within ±540, 541 does not/);
    expect(problem('place=ohio')).toMatch(/^place \| .*takes codes of countries and regions/);
    expect(problem('q=%20""')).toMatch(/^q \| .*takes words/);
    expect(problem('params=zoom')).toMatch(/^params \| params takes a path.*not “zoom”$/);
    expect(problem('params=a..b=1')).toMatch(/^params \| .*takes a path such as.*not “a\.\.b”/);
    expect(problem('params=zoom>true')).toMatch(/compares numbers or texts, not true \(at zoom\)/);
    expect(problem('params=zoom in 3')).toMatch(/in takes a list/);
    expect(problem('params=zoom=')).toMatch(/= takes one value \(at zoom\)/);
    expect(problem('params=id=12345678901234567890')).toMatch(/are not exact \(at id\)/);
  });
});

describe('the ring of a polygon', () => {
  test('is refused by name where it goes round a pole or leaves open which way round an edge goes', () => {
    expect(
      polygonProblem([
        [0, -60],
        [90, -60],
        [180, -60],
        [-90, -60],
      ]),
    ).toMatch(/round a pole/);
    expect(
      polygonProblem([
        [170, 0],
        [-170, 0],
        [-170, 10],
        [170, 10],
      ]),
    ).toMatch(/over 180° apart \(170,0 and -170,0\)/);
    expect(
      polygonProblem([
        [0, 0],
        [150, 0],
        [300, 0],
        [400, 0],
        [300, 5],
        [150, 5],
      ]),
    ).toMatch(/wider than the world/);
  });
  test('may count on over the 180° meridian, be as wide as the world, and cross itself', () => {
    expect(
      polygonProblem([
        [170, 0],
        [190, 0],
        [190, 10],
        [170, 10],
      ]),
    ).toBeNull();
    expect(
      polygonProblem([
        [-180, -60],
        [0, -60],
        [180, -60],
        [180, 60],
        [0, 60],
        [-180, 60],
      ]),
    ).toBeNull();
    expect(
      polygonProblem([
        [0, 0],
        [10, 10],
        [10, 0],
        [0, 10],
      ]),
    ).toBeNull();
  });
});

describe('the words of q', () => {
  test('are separated by spaces, and phrases kept together by quotes', () => {
    expect(searchWords('side  location "at 5 m"')).toEqual(['side', 'location', 'at 5 m']);
    expect(searchWords('a"b c"d "open end')).toEqual(['a', 'b c', 'd', 'open end']);
    expect(searchWords('"two\nlines" \t twice twice')).toEqual(['two lines', 'twice']);
  });
  test('hold no quote and no control character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (q) => {
        for (const word of searchWords(q)) expect(word).toMatch(/^[^"\p{Cc}\n]*$/u);
      }),
    );
  });
});

describe('a path into params', () => {
  test('reads back the steps that it was written from', () => {
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 20 }), (steps) => {
        expect(readParamPath(paramPathText(steps))).toEqual(steps);
      }),
    );
  });
  test('takes places in arrays with or without brackets', () => {
    expect(readParamPath('bands[0].name')).toEqual(['bands', '0', 'name']);
    expect(readParamPath('bands.-1')).toEqual(['bands', '-1']);
    expect(readParamPath('a."b.\\"c"')).toEqual(['a', 'b."c']);
    for (const wrong of ['', '.', 'a.', 'a..b', 'a[x]', '"a', 'a b', Array(21).fill('a').join('.')])
      expect(readParamPath(wrong)).toBeNull();
  });
  test('leaves the value of a condition what it was', () => {
    fc.assert(
      fc.property(condition, (one) => {
        expect(paramFromText(paramText(one))).toEqual(one);
      }),
      { numRuns: 500 },
    );
  });
});
