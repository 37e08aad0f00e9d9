import { expect, test } from 'vitest';
import { z } from 'zod';
import { issueWords, shownValue } from '@/lib/contract/issue-words';

const schema = z
  .strictObject({
    n: z.number().int().min(-5).max(1_000_000),
    text: z.string().min(3).max(10),
    id: z.uuid(),
    one: z.enum(['wkb', 'wkt']),
    many: z.array(z.string()).max(2),
    own: z.string().refine((text) => text !== 'x', 'is taken'),
  })
  .partial();
const said = (value: unknown) => schema.safeParse(value).error?.issues.map(issueWords);

test.each([
  [{ n: 1.5 }, 'must be a whole number'],
  [{ n: 2e6 }, 'must be at most 1,000,000'],
  [{ n: -6 }, 'must be at least -5'],
  [{ text: 'a' }, 'must have at least 3 characters'],
  [{ text: 5 }, 'must be a text'],
  [{ id: 'a' }, 'must be a UUID, like 7d444840-9dc0-4f3a-8f0a-2b1d1c0e5a77'],
  [{ one: 'svg' }, 'must be wkb or wkt'],
  [{ many: ['a', 'b', 'c'] }, 'must have at most 2 elements'],
  [{ other: 1 }, 'has no member “other”: leave it out'],
  [{ own: 'x' }, 'is taken'],
  [[], 'must be an object'],
])('%j: %s', (value, words) => expect(said(value)).toEqual([words]));

test('a value is shown short, and a container by its kind', () => {
  expect(['a', 5, null, undefined, [1], { a: 1 }].map(shownValue)).toEqual([
    '“a”',
    '5',
    'null',
    'missing',
    'an array',
    'an object',
  ]);
  expect(shownValue('x'.repeat(2_500))).toBe(`“${'x'.repeat(60)}…” with 2,500 characters`);
});
