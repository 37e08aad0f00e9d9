import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson } from '@/lib/contract/canonical-json';

/** The same value, its members in an order drawn anew, with white space. */
function shuffled(value: unknown, random: () => number): string {
  if (Array.isArray(value)) return `[ ${value.map((one) => shuffled(one, random)).join(' , ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .map(([name, member]) => ({ at: random(), text: `${JSON.stringify(name)} :\n${shuffled(member, random)}` }))
    .sort((a, b) => a.at - b.at);
  return `{${members.map(({ text }) => text).join(',\t')}}`;
}

test('texts of one value have one canonical text, whatever the order of their members, and it is that value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })), (value, draws) => {
      const text = canonicalJson(shuffled(value, () => draws.next().value as number));
      expect(text).toBe(canonicalJson(JSON.stringify(value)));
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

test('texts of different values have different ones', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
      const same = JSON.stringify(one) === JSON.stringify(other);
      if (!same && canonicalJson(JSON.stringify(one)) === canonicalJson(JSON.stringify(other)))
        expect(JSON.parse(JSON.stringify(one))).toEqual(JSON.parse(JSON.stringify(other)));
    }),
  );
});

test.each([
  ['{"b":-0,"a":1e21}', '{"a":1e21,"b":-0}'],
  ['{"a":"\\u0041\\/","b":12345678901234567890}', '{"a":"A/","b":12345678901234567890}'],
  ['{"a":2,"a":1}', '{"a":2,"a":1}'],
  ['{"a":{},"":[]}', '{"":[],"a":{}}'],
  [' "\\ud800" ', '"\\ud800"'],
  ['[ {"b":1,"a":[{"d":1,"c":2}]} , null ]', '[{"a":[{"c":2,"d":1}],"b":1},null]'],
])('%s becomes %s', (text, canonical) => {
  expect(canonicalJson(text)).toBe(canonical);
});

test('depth does not end it', () => {
  const deep = `${'[{"a":'.repeat(5000)}1${'}]'.repeat(5000)}`;
  expect(canonicalJson(deep)).toBe(deep);
});
