import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { jsonbForm, jsonbHolds } from '@/lib/contract/jsonb-form';
import { rawMember, rawMembers } from '@/lib/contract/raw-member';
import { jsonObjectText, jsonText } from '@/test/support/json-texts';

describe('a member of a JSON object as raw text', () => {
  test('is what JSON.parse sees under that name, for every text', () => {
    fc.assert(
      fc.property(jsonObjectText, (text) => {
        const parsed = JSON.parse(text) as Record<string, unknown>;
        const { members } = rawMembers(text);
        expect([...members.keys()].sort()).toEqual(Object.keys(parsed).sort());
        for (const [name, raw] of members) expect(JSON.parse(raw)).toEqual(parsed[name]);
      }),
      { numRuns: 500 },
    );
  });

  test('is cut out of the text as it stands, spelling and inner spacing kept', () => {
    const text = ' { "a" : [1.50,\n -0 , {"b":"}]\\""} ] ,"c\\u0041":1e400 , "":{} }';
    expect(rawMember(text, 'a')).toBe('[1.50,\n -0 , {"b":"}]\\""} ]');
    expect(rawMember(text, 'cA')).toBe('1e400');
    expect(rawMember(text, '')).toBe('{}');
    expect(rawMember(text, 'b')).toBeUndefined();
  });

  test('names that are given twice are told, and the last one counts', () => {
    const { members, repeated } = rawMembers('{"a":1,"b":2,"\\u0061":3}');
    expect(repeated).toEqual(['a']);
    expect(members.get('a')).toBe('3');
  });

  test('a name like __proto__ is a name like any other', () => {
    expect(rawMember('{"__proto__":{"x":1}}', '__proto__')).toBe('{"x":1}');
  });
});

describe('what jsonb holds', () => {
  test.each([
    '{"a":1,"b":[1.50,0.1,-3,"é","\\ud83d\\ude00","\\\\u0000"]}',
    '123456789012345678901234567890',
    '1e-7',
    '{"a":{"k":1},"b":{"k":1}}',
    'null',
  ])('%s is held', (text) => expect(jsonbHolds(text)).toBe(true));

  test.each([
    ['NUL', '{"a":"\\u0000"}'],
    ['NUL in a key', '{"\\u0000":1}'],
    ['half of a surrogate pair', '["\\ud83d"]'],
    ['the wrong half first', '["\\ude00\\ud83d"]'],
    ['a key given twice', '{"a":{"k":1,"k":2}}'],
    ['a key given twice in other spelling', '{"k":1,"\\u006b":2}'],
    ['minus zero', '[-0]'],
    ['minus zero with a fraction', '-0.00'],
    ['a number that becomes an integer', '[1e2]'],
    ['a number past numeric', '1e140000'],
    ['more fraction digits than numeric has', '1e-20000'],
    ['65 levels', `${'['.repeat(65)}${']'.repeat(65)}`],
  ])('%s is not', (_, text) => expect(jsonbHolds(text)).toBe(false));

  test('the projection is JSON without NUL and half pairs, or there is none', () => {
    fc.assert(
      fc.property(jsonText, (text) => {
        const { holds, projection } = jsonbForm(text);
        if (holds) expect(projection).toBe(text);
        if (projection === null) return;
        expect(JSON.stringify(JSON.parse(projection))).not.toMatch(/(?<!\\)(\\\\)*\\u(0000|d[89a-f]..)/);
      }),
      { numRuns: 1000 },
    );
  });

  test('depth costs no stack', () => {
    const deep = `${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}`;
    expect(jsonbForm(deep)).toEqual({ holds: false, projection: null });
    expect(rawMember(`{"params":${deep}}`, 'params')).toHaveLength(deep.length);
  });
});
