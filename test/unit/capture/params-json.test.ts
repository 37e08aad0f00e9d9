import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { jsonText } from '@/lib/capture/params-json';

describe('params as JSON text', () => {
  test('any JSON value comes back equal, with nothing replaced', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        const { text, replaced } = jsonText(value);
        expect(JSON.parse(text)).toEqual(value);
        expect(replaced).toEqual({});
      }),
    );
  });

  test('any value at all gives text that parses', () => {
    const anything = fc.anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withSet: true,
      withNullPrototype: true,
      withObjectString: true,
      withSparseArray: true,
      withTypedArray: true,
      withBoxedValues: true,
    });
    fc.assert(
      fc.property(anything, (value) => {
        JSON.parse(jsonText(value).text);
      }),
    );
  });

  test('numbers are kept to the last bit', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(Object.is(JSON.parse(jsonText({ value }).text).value, value)).toBe(true);
      }),
    );
    expect(jsonText([-0, 2 ** 53 + 2, 5e-324]).text).toBe('[-0,9007199254740994,5e-324]');
  });

  test('NUL and lone surrogates are kept as escapes', () => {
    const text = 'a\0b\ud800c';
    expect(jsonText(text).text).toBe('"a\\u0000b\\ud800c"');
    expect(JSON.parse(jsonText(text).text)).toBe(text);
  });

  test('what JSON cannot hold is written as the nearest value and named by its path', () => {
    const value = {
      nodata: Number.NaN,
      limit: Number.POSITIVE_INFINITY,
      id: 2n ** 64n,
      at: new Date('2026-11-30T02:14:00Z'),
      never: new Date(Number.NaN),
      tags: new Set(['a']),
      by: new Map([['k', 1]]),
      bytes: new Uint8Array([1, 255]),
      band: new Float32Array([0.5]),
      run: () => 1,
      'a/b~c': [undefined],
      left_out: undefined,
    };
    const { text, replaced } = jsonText(value);
    expect(JSON.parse(text)).toEqual({
      nodata: null,
      limit: null,
      id: '18446744073709551616',
      at: '2026-11-30T02:14:00.000Z',
      never: null,
      tags: ['a'],
      by: [['k', 1]],
      bytes: '01ff',
      band: [0.5],
      run: null,
      'a/b~c': [null],
    });
    expect({ ...replaced }).toEqual({
      '/nodata': 'NaN',
      '/limit': 'Infinity',
      '/id': 'bigint',
      '/at': 'Date',
      '/never': 'Date (invalid)',
      '/tags': 'Set',
      '/by': 'Map',
      '/bytes': 'Uint8Array (hex)',
      '/band': 'Float32Array',
      '/run': 'function',
      '/a~1b~0c/0': 'undefined',
    });
  });

  test('a cycle, a getter that throws and a proxy that throws are named where they stand', () => {
    const loop: Record<string, unknown> = { name: 'loop' };
    loop.self = loop;
    const value = {
      loop,
      get broken(): string {
        throw new Error('no disk');
      },
      proxy: new Proxy(
        {},
        {
          ownKeys: () => {
            throw new Error('sealed');
          },
        },
      ),
      kept: 1,
    };
    const { text, replaced } = jsonText(value);
    expect(JSON.parse(text)).toEqual({ loop: { name: 'loop', self: null }, broken: null, proxy: null, kept: 1 });
    expect({ ...replaced }).toEqual({
      '/loop/self': 'cycle to /loop',
      '/broken': 'getter threw: no disk',
      '/proxy': 'unreadable: sealed',
    });
  });

  test('one object met twice is no cycle', () => {
    const shared = { a: 1 };
    expect(jsonText([shared, shared])).toEqual({ text: '[{"a":1},{"a":1}]', replaced: {} });
  });

  test('depth is bounded, so that a deep value does not end the stack', () => {
    let deep: unknown = 1;
    for (let i = 0; i < 100_000; i += 1) deep = [deep];
    expect(Object.values(jsonText(deep).replaced)).toEqual(['deeper than 200']);
  });

  test('the member __proto__ is kept as any other', () => {
    const value: unknown = JSON.parse('{"__proto__":{"a":1}}');
    expect(jsonText(value).text).toBe('{"__proto__":{"a":1}}');
  });
});
