import { describe, expect, it } from 'vitest';
import { pythonLiteral, sqlLiteral } from '@/components/evidence/literal-text.model';
import { psqlSnippet, pythonSnippet } from '@/components/evidence/reproduce.model';

describe('a text as a literal', () => {
  it('escapes quotes, backslashes and everything that is no printable ASCII', () => {
    expect(sqlLiteral(`a'b\\c"d`)).toBe(`E'a\\'b\\\\c"d'`);
    expect(pythonLiteral(`a'b\\c"d`)).toBe(`"a'b\\\\c\\"d"`);
    expect(sqlLiteral('é\n\u202e😀')).toBe(`E'\\u00e9\\u000a\\u202e\\U0001f600'`);
    expect(pythonLiteral('é\n\u202e😀')).toBe(`"\\u00e9\\u000a\\u202e\\U0001f600"`);
  });

  it('is null or None for nothing, and never a NUL or half a character', () => {
    expect([sqlLiteral(null), pythonLiteral(null)]).toEqual(['null', 'None']);
    expect(pythonLiteral('\u0000\ud800')).toBe('"\\uFFFD\\uFFFD"');
  });
});

describe('a snippet', () => {
  it('lets nothing into its comment but the number of the entry', () => {
    const given = {
      id: '4\n\\! id\n2',
      hex: '00',
      origin: 'http://dlo.test',
      src_crs: null,
      claim_id: null,
      target_crs: null,
    };
    for (const text of [psqlSnippet(given), pythonSnippet(given)])
      expect(text.split('\n')[0]).toContain('Dead letter 42:');
  });
});
