import fc from 'fast-check';

const space = fc.constantFrom('', ' ', '\n', '\t', ' \r\n ');

/** The inside of a JSON string, escapes and halves of surrogate pairs included. */
const stringBody = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '\\u0000',
        '\\ud83d',
        '\\uDE00',
        '\\ud83d\\ude00',
        '\\\\',
        '\\"',
        '\\n',
        '\\/',
        '\\\\u0000',
        'a',
        'é',
        '🜁',
      ),
      fc.constantFrom('{', '}', '[', ']', ',', ':', ' '),
    ),
    { maxLength: 5 },
  )
  .map((parts) => parts.join(''));

const number = fc.oneof(
  fc.constantFrom('0', '-0', '-0.0', '1.50', '1e2', '1E-7', '10e-1', '0e5', '1e400', '-1e-400', '1e140000', '1e-20000'),
  fc.bigInt().map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
);

/** Valid JSON text of a kind that parsing and printing again would change: spacing, repeated keys, odd numbers and escapes. */
export const jsonText: fc.Arbitrary<string> = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.oneof(
      fc.constantFrom('null', 'true', 'false'),
      number,
      stringBody.map((body) => `"${body}"`),
    ),
    fc
      .tuple(space, fc.array(fc.tuple(tie('value'), space), { maxLength: 4 }))
      .map(([s, items]) => `[${s}${items.map(([item, after]) => item + after).join(`,${s}`)}]`),
    objectOf(tie('value')),
  ),
})).value;

function objectOf(value: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc
    .tuple(space, space, fc.array(fc.tuple(stringBody, value), { maxLength: 4 }))
    .map(([s, t, members]) => `${t}{${s}${members.map(([k, v]) => `"${k}"${t}:${s}${v}${t}`).join(`${s},${t}`)}}${s}`);
}

/** Like `jsonText`, an object at the top. */
export const jsonObjectText: fc.Arbitrary<string> = objectOf(jsonText);
