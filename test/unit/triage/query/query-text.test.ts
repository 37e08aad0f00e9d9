import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergeFilter } from '@/components/triage/query/merge-filter.model';
import { queryText, readQuery } from '@/components/triage/query/query-text.model';
import { type Filter, filterSchema, SET_FIELDS } from '@/lib/contract/filter';
import { PARAM_OPS, paramConditionSchema } from '@/lib/contract/param-condition';
import { STATES } from '@/lib/dead-letter/vocabulary';

const NOW = '2026-11-30T14:32:07.000Z';
const read = (text: string) => {
  const { filter, words } = readQuery(text, NOW);
  return { filter, problems: words.flatMap(({ text, problem }) => (problem ? [`${text}: ${problem.why}`] : [])) };
};

/** Texts with a meaning in the language, among any others that a pipeline might write. */
const hostile = fc.oneof(
  { weight: 3, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 12 }) },
  fc.string({ unit: fc.constantFrom(...'"!*,:;=<>[]\\u{41} \n∅aé𝕏'), minLength: 1, maxLength: 12 }),
  fc.constantFrom('none', '∅', 'any', 'true', 'null', '-0', '1e5', '9007199254740993', '\ud800', 'crs_mismatch'),
  fc.constantFrom('param.a=b', 'class:oom', 'EPSG:4326', '""', '"', '\\u{41}', '\u202e', 'a b', ' ', 'exists', 'in'),
);
const value = fc.tuple(fc.constantFrom('', '', '!'), hostile).map(([mark, text]) => mark + text);
const number = fc.double({ noNaN: true, noDefaultInfinity: true });
const scalar = fc.oneof(hostile, number, fc.boolean(), fc.constant(null), fc.constantFrom(2 ** 53, -(2 ** 60), 1e300));
const param = fc
  .record({
    path: fc.oneof(fc.constantFrom('resampling', 'tile.zoom', 'bands[0]', 'a."b c".d', 'a:b', '"x"'), hostile),
    op: fc.constantFrom(...PARAM_OPS),
    value: fc.oneof(scalar, fc.array(scalar, { minLength: 1, maxLength: 4 })),
  })
  .map(({ path, op, value: given }) => (op === 'exists' ? { path, op } : { path, op, value: given }));
const moment = fc
  .date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true })
  .map((at) => at.toISOString())
  .chain((at) => fc.constantFrom(at, at.replace(/\.\d+Z/, 'Z'), at.replace('Z', '+05:30')));
const degrees = fc.double({ min: -90, max: 90, noNaN: true }).map((each) => each + 0);

/** Any filter that the contract takes; a field without values is one that is not there. */
const anyFilter = fc
  .record(
    {
      ...Object.fromEntries(SET_FIELDS.map((field) => [field, fc.array(value, { minLength: 1, maxLength: 4 })])),
      state: fc.array(fc.constantFrom('any', ...STATES, ...STATES.map((state) => `!${state}`)), { minLength: 1 }),
      error_class: fc.array(fc.constantFrom('transient', '!fatal'), { minLength: 1 }),
      unmappable_reason: fc.array(fc.constantFrom('no_crs', '!empty', '∅'), { minLength: 1 }),
      mappable: fc.boolean(),
      sensitive: fc.boolean(),
      reopened: fc.boolean(),
      since: moment,
      until: moment,
      bbox: fc.tuple(degrees, degrees, degrees, degrees),
      polygon: fc.array(fc.tuple(degrees, degrees), { minLength: 3, maxLength: 8 }),
      place: fc.array(fc.constantFrom('US', 'US-OH', 'CA'), { minLength: 1 }),
      work_key: hostile,
      q: fc.oneof(
        fc.array(hostile, { minLength: 1, maxLength: 3 }).map((words) => words.join(' ')),
        hostile,
      ),
      params: fc.array(
        param.filter((each) => paramConditionSchema.safeParse(each).success),
        { minLength: 1, maxLength: 3 },
      ),
      ids: fc.array(fc.bigInt({ min: 0n, max: 10n ** 19n - 1n }).map(String), { minLength: 1 }),
    },
    { requiredKeys: [] },
  )
  .map((parts) => {
    // what the contract does not take is left out, member by member
    const taken = Object.entries(parts).filter(([name, part]) => filterSchema.safeParse({ [name]: part }).success);
    return Object.fromEntries(taken) as Filter;
  });

describe('the text of a filter', () => {
  it('reads as the same filter again, whatever the filter holds', () => {
    fc.assert(
      fc.property(anyFilter, (filter) => {
        const { filter: again, words } = readQuery(queryText(filter), NOW);
        expect(words.filter(({ problem }) => problem)).toEqual([]);
        expect(again).toEqual(filter);
      }),
      { numRuns: 300 },
    );
  });

  it('can be had of any text: reading it never throws, and what was read is written the same the second time', () => {
    const parts = fc.array(
      fc.oneof(
        hostile,
        fc.constantFrom(' ', ':', '"', '!', 'class:', 'param.', 'param.x in [', 'since:7d', 'bbox:', ']'),
      ),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(
        parts.map((all) => all.join('')),
        (text) => {
          const { filter, words } = readQuery(text, NOW);
          expect(filterSchema.safeParse(filter).success).toBe(true);
          for (const { text: word, from, to } of words)
            expect(text.slice(from, to).replace(/\s+/g, ' ')).toBe(word.replace(/\s+/g, ' '));
          const written = queryText(filter);
          expect(queryText(readQuery(written, NOW).filter)).toBe(written);
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('a query', () => {
  it('takes the short names and the names of the API alike', () => {
    expect(read('class:oom task:reproject*').filter).toEqual({ failure_class: ['oom'], task_name: ['reproject*'] });
    expect(read('failure_class:oom task_name:reproject*').filter).toEqual(read('class:oom task:reproject*').filter);
    expect(read('sig:7a6a run:n* source:s3://b/k.tif').filter).toEqual({
      signature: ['7a6a'],
      run_id: ['n*'],
      source_uri: ['s3://b/k.tif'],
    });
  });

  it('excludes with ! before the name or before the value, by commas or by repeating', () => {
    expect(read('!src_crs:EPSG:4326 class:oom,!unknown class:crs_mismatch').filter).toEqual({
      src_crs: ['!EPSG:4326'],
      failure_class: ['oom', '!unknown', 'crs_mismatch'],
    });
  });

  it('keeps spaces, commas, colons and quotes of a quoted value', () => {
    expect(read('crs:"OH-N ft, 1983" code:"v ""2""",b').filter).toEqual({
      src_crs: ['OH-N ft, 1983'],
      code_version: ['v "2"', 'b'],
    });
  });

  it('reads none as no value where a field can be without one, and as the word where it is quoted', () => {
    expect(read('crs:none srid:none').filter).toEqual({ src_crs: ['∅'], srid: ['∅'] });
    expect(read('task:none crs:"none"').filter).toEqual({ task_name: ['none'], src_crs: ['none'] });
  });

  it('counts since:7d back from the answer shown, to the minute', () => {
    expect(read('since:7d until:2026-11-25').filter).toEqual({
      since: '2026-11-23T14:32:00.000Z',
      until: '2026-11-25T00:00:00.000Z',
    });
  });

  it('searches for words without a name and for what is quoted', () => {
    expect(read('bounds "lie outside" class:oom area').filter).toEqual({
      failure_class: ['oom'],
      q: 'bounds "lie outside" area',
    });
    expect(queryText({ q: 'cannot open "a file"' })).toBe('cannot open "a file"');
    expect(queryText({ q: 'class:oom' })).toBe('text:"class:oom"');
  });

  it('needs no name for a word that only one field knows, nor for a CRS', () => {
    expect(read('crs_mismatch !in_doubt EPSG:4326').filter).toEqual({
      failure_class: ['crs_mismatch'],
      state: ['!in_doubt'],
      src_crs: ['EPSG:4326'],
    });
    expect(read('open').filter).toEqual({ q: 'open' });
  });

  it('takes key: as a prefix, with or without a star', () => {
    expect(read('key:parcels/39*').filter).toEqual(read('key:parcels/39').filter);
  });

  it('compares a parameter by its path: numbers as numbers, quoted ones as text', () => {
    expect(read('param.resampling=cubic param.tile.zoom>=3 param.on=true param.code="3"').filter.params).toEqual([
      { path: 'resampling', op: '=', value: 'cubic' },
      { path: 'tile.zoom', op: '>=', value: 3 },
      { path: 'on', op: '=', value: true },
      { path: 'code', op: '=', value: '3' },
    ]);
  });

  it('takes a list of values of a parameter, the test whether it is there, and spaces round the operator', () => {
    const wanted = [
      { path: 'mode', op: 'in', value: ['a b', 'c', 2] },
      { path: 'nodata', op: 'exists' },
      { path: 'zoom', op: '>', value: 3 },
      { path: 'x', op: '!=', value: 'a' },
      { path: 'x', op: '!=', value: 'b' },
    ];
    expect(read('param.mode="a b",c,2 param.nodata=* param.zoom>3 !param.x=a,b').filter.params).toEqual(wanted);
    expect(read('param.mode in ["a b", c, 2] param.nodata exists param.zoom > 3 param.x != a,b').filter.params).toEqual(
      wanted,
    );
  });

  it('takes a box, a polygon, places and ids', () => {
    expect(read('bbox:-84.8,38.4,-80.5,42 polygon:-84,38;-80,38;-80,42 place:US-OH,CA id:17,18').filter).toEqual({
      bbox: [-84.8, 38.4, -80.5, 42],
      polygon: [
        [-84, 38],
        [-80, 38],
        [-80, 42],
      ],
      place: ['US-OH', 'CA'],
      ids: ['17', '18'],
    });
  });

  it('says what is wrong with a word and what would do, and applies the others', () => {
    const { filter, words } = readQuery('class:oom taks:a state:dead since:yesterday !hello bbox:1,2 crs:"x', NOW);
    expect(filter).toEqual({ failure_class: ['oom'] });
    expect(words.flatMap(({ problem }) => (problem ? [`${problem.why}: ${problem.remedy}`] : []))).toEqual([
      'there is no condition taks:: write task:',
      'dead is not one of open, redriving, redriven, in_doubt, quarantined, resolved, any: write state:open',
      'since: takes 7d, 12h or 2026-11-24, not yesterday: write since:7d or since:2026-11-24',
      '!hello excludes nothing: name what it is, as in !class:hello, or quote it',
      'bbox: takes west,south,east,north: write bbox:-84.8,38.4,-80.5,42',
      'the quote does not end: put " at its end, or write "" for a quote within quotes',
    ]);
  });

  it('says that a condition of which there is one was given twice', () => {
    expect(read('since:7d since:8d')).toEqual({
      filter: { since: '2026-11-23T14:32:00.000Z' },
      problems: ['since:8d: since is there already'],
    });
  });

  it('knows where each word stands in the text', () => {
    expect(readQuery('  class:oom  "x y"', NOW).words.map(({ from, to }) => [from, to])).toEqual([
      [2, 11],
      [13, 18],
    ]);
  });
});

describe('what is typed beside a filter', () => {
  it('joins the values of its field, replaces the opposite of a value, and what there can be only one of', () => {
    const filter: Filter = { failure_class: ['!oom', 'crs_mismatch'], since: NOW, q: 'bounds', place: ['US'] };
    expect(mergeFilter(filter, read('class:oom since:2026-01-01 area place:CA').filter)).toEqual({
      failure_class: ['crs_mismatch', 'oom'],
      since: '2026-01-01T00:00:00.000Z',
      q: 'bounds area',
      place: ['US', 'CA'],
    });
  });
});
