import { type SQL, sql } from 'drizzle-orm';
import type { ParamCondition, ParamScalar } from '@/lib/contract/param-condition';
import { readParamPath } from '@/lib/contract/param-path';
import type { Role } from '@/lib/dead-letter/vocabulary';
import { type EntrySet, entriesWherePayload } from './of-entry';
import { allOf, anyOf } from './set-values';

/**
 * Entries for whose current payload all the conditions hold. Equality is asked as `@>`, which the index answers. What jsonb
 * cannot hold (params kept as bytes, U+0000, half of a surrogate pair) has no value to compare. Never raises.
 */
export function entriesWithParams(conditions: readonly ParamCondition[], role: Role): EntrySet {
  return entriesWherePayload(role, allOf(conditions.map(conditionOf)));
}

function conditionOf({ path, op, value }: ParamCondition): SQL {
  const steps = readParamPath(path);
  if (!steps?.every(isHeld)) return op === '!=' ? sql`true` : sql`false`;
  const values = [value ?? null].flat();
  const equal = () =>
    anyOf(values.filter((one) => typeof one !== 'string' || isHeld(one)).map((one) => equals(steps, one)));
  if (op === '=' || op === 'in') return equal();
  if (op === '!=') return sql`not coalesce(${equal()}, false)`;
  const found = sql`(p.params #> ${sql.param(steps)}::text[])`;
  if (op === 'exists') return sql`(${found} is not null)`;
  return ordered(found, op, values[0] ?? null);
}

function equals(steps: string[], value: ParamScalar): SQL {
  const json = (nested: unknown) => sql`${JSON.stringify(nested)}::jsonb`;
  const places = steps.flatMap((step, index) => (isPlace(step) ? [index] : []));
  if (places.length === 0) return sql`p.params @> ${json(nest(steps, value, -1))}`;
  const exactly = sql`p.params #> ${sql.param(steps)}::text[] = ${json(value)}`;
  // a step that is a number names a member or a place in an array; of one such step the index is asked for both
  const [place = -1] = places;
  const likely = anyOf([-1, place].map((array) => sql`p.params @> ${json(nest(steps, value, array))}`));
  return places.length === 1 ? sql`(${likely} and ${exactly})` : exactly;
}

/** `{"a": {"b": value}}`; the step number `array` as an array of one. */
function nest(steps: string[], value: ParamScalar, array: number): unknown {
  return steps.reduceRight<unknown>(
    (inner, step, index) => (index === array ? [inner] : Object.fromEntries([[step, inner]])),
    value,
  );
}

const SIGNS = { '<': sql`<`, '<=': sql`<=`, '>': sql`>`, '>=': sql`>=` };

/** Numbers with numbers and texts with texts, by code point. */
function ordered(found: SQL, op: keyof typeof SIGNS, value: ParamScalar): SQL {
  if (typeof value === 'number')
    return sql`case jsonb_typeof(${found}) when 'number' then ${found}::numeric ${SIGNS[op]} ${value}::numeric end`;
  if (typeof value !== 'string' || !isHeld(value)) return sql`false`;
  return sql`case jsonb_typeof(${found}) when 'string' then (${found} #>> '{}') collate "C" ${SIGNS[op]} ${value}::text end`;
}

/** Whether `#>` reads the step as a place where it meets an array. */
function isPlace(step: string): boolean {
  return /^\s*[+-]?\d+$/.test(step);
}

/** Whether PostgreSQL can hold the text. */
function isHeld(text: string): boolean {
  return !text.includes('\0') && !/\p{Cs}/u.test(text);
}
