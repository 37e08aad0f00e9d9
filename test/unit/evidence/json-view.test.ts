import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  filterLines,
  headOfText,
  type JsonNode,
  jsonLines,
  paramCount,
  readJson,
} from '@/components/evidence/json-view.model';

const value = (node: JsonNode): unknown => {
  if (node.kind === 'object') return Object.fromEntries(node.members.map(({ key, value: v }) => [key, value(v)]));
  if (node.kind === 'array') return node.items.map(value);
  if (node.kind === 'string') return node.value;
  return JSON.parse(node.text);
};

describe('params as JSON', () => {
  it('reads what JSON.parse reads, to the same value', () => {
    fc.assert(
      fc.property(fc.json({ noUnicodeString: false } as object), (text) => {
        const node = readJson(text);
        expect(node).not.toBeNull();
        if (node) expect(JSON.stringify(value(node))).toBe(JSON.stringify(JSON.parse(text)));
      }),
    );
  });

  it('refuses what JSON.parse refuses', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        let parses = true;
        try {
          JSON.parse(text);
        } catch {
          parses = false;
        }
        expect(readJson(text) !== null).toBe(parses);
      }),
    );
    for (const text of ['{"a":1,}', '[1 2]', '01', '"a\nb"', '{"a"}', '1 2', '\u00a01'])
      expect(readJson(text)).toBeNull();
  });

  it('reads strings of many megabytes, whatever they hold, and shows their beginning', () => {
    for (const piece of ['x', '\\n', '\\"', '\\\\']) {
      const text = `{"a":"${piece.repeat(4_000_000)}"}`;
      const node = readJson(text);
      expect(node?.kind).toBe('object');
      expect(jsonLines(node!)[0]!.text.length).toBeGreaterThanOrEqual(4_000_000);
    }
    expect(headOfText('y'.repeat(100_001))).toMatch(/^y{100000}… and 1 more characters$/);
    expect(headOfText('short')).toBe('short');
  });

  it('keeps every digit of a number and says where a double would not', () => {
    const lines = jsonLines(readJson('{"big":12345678901234567890123,"fine":1.50,"small":0.1,"huge":1e999}')!);
    expect(lines.map(({ text }) => text)).toEqual(['12345678901234567890123', '1.50', '0.1', '1e999']);
    expect(lines.map(({ node }) => node.kind === 'number' && node.beyond_double)).toEqual([true, false, false, true]);
  });

  it('survives nesting beyond any sense', () => {
    expect(readJson('['.repeat(100_000))).toBeNull();
  });

  it('finds by name or value, and keeps what a hit stands under', () => {
    const lines = jsonLines(readJson('{"a":{"b":[1,{"deep":"needle"}]},"c":2}')!);
    expect(filterLines(lines, 'needle').map(({ path }) => path)).toEqual(['a', 'a.b', 'a.b.1', 'a.b.1.deep']);
    expect(filterLines(lines, ' ').length).toBe(lines.length);
  });

  it('counts the members of an object', () => {
    expect([paramCount('{"a":1,"b":{"c":2}}'), paramCount('[1]'), paramCount('not json'), paramCount(null)]).toEqual([
      2, 0, 0, 0,
    ]);
  });
});
