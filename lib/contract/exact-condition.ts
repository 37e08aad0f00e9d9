import { NO_VALUE } from './filter';

/** The longest value that a condition takes. */
const LONGEST = 500;

/**
 * The condition that means exactly this value of a column, null being "no value". Null where no condition means it: a
 * value longer than one takes, and one with `!` before or `*` behind, which have a meaning of their own.
 */
export function exactCondition(value: string | null): string[] | null {
  if (value === null) return [NO_VALUE];
  const has_meaning = value === '' || value === NO_VALUE || value.startsWith('!') || value.endsWith('*');
  return has_meaning || value.length > LONGEST ? null : [value];
}
