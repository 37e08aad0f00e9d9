import type { ZodType } from 'zod';

type Parsed = ReturnType<ZodType['safeParse']>;
/** What the schema found wrong at one place of a value. */
export type Issue = NonNullable<Parsed['error']>['issues'][number];

const count = (n: number | bigint): string => n.toLocaleString('en-US');
const KINDS: Record<string, string> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
};
const kind = (name: string): string => KINDS[name] ?? name;

const FORMATS: Record<string, string> = {
  datetime: 'a moment in ISO 8601 with its zone, like 2026-11-30T13:00:00Z',
  uuid: 'a UUID, like 7d444840-9dc0-4f3a-8f0a-2b1d1c0e5a77',
};

/** What a value must be where it is wrong, by the code of its issue. Total: a code that is not here keeps the schema's words. */
const WORDS: { [C in Issue['code']]?: (issue: Extract<Issue, { code: C }>) => string } = {
  invalid_type: ({ expected }) => `must be ${kind(expected)}`,
  too_big: ({ origin, maximum }) => `must ${sized(origin, 'at most', maximum)}`,
  too_small: ({ origin, minimum }) =>
    origin === 'string' && minimum === 1 ? 'must not be empty' : `must ${sized(origin, 'at least', minimum)}`,
  invalid_format: ({ format, pattern }) => `must be ${FORMATS[format] ?? `of the form ${pattern ?? format}`}`,
  invalid_value: ({ values }) => `must be ${values.map(String).join(' or ')}`,
  invalid_union: ({ errors }) =>
    `must be ${[...new Set(errors.flat().map((one) => (one.code === 'invalid_type' ? kind(one.expected) : one.message)))].join(' or ')}`,
  unrecognized_keys: ({ keys }) =>
    `has no member ${keys.map((key) => `“${key.slice(0, 60)}”`).join(', ')}: leave it out`,
};

function sized(origin: string, bound: string, size: number | bigint): string {
  if (origin === 'string') return `have ${bound} ${count(size)} characters`;
  if (origin === 'array' || origin === 'set') return `have ${bound} ${count(size)} elements`;
  return `be ${bound} ${count(size)}`;
}

/** `must be a whole number`: what is demanded where `issue` was found. */
export function issueWords(issue: Issue): string {
  const words = WORDS[issue.code] as ((one: Issue) => string) | undefined;
  return words && issue.message.match(/^(Invalid|Too|Unrecognized)/) ? words(issue) : issue.message;
}

/** A value as a message may show it: short, on one line, a long text with its length. Containers are named: they can be deep. */
export function shownValue(value: unknown): string {
  if (value === undefined) return 'missing';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object' && value !== null) return 'an object';
  const text = String(value);
  if (text.length > 60) return `“${text.slice(0, 60)}…” with ${count(text.length)} characters`;
  return typeof value === 'string' ? `“${text}”` : text;
}
