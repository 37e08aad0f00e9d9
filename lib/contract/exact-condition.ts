import { NO_VALUE } from './filter';

/** The longest value that a condition takes. */
const LONGEST = 500;

/**
 * The condition that means exactly this value of a column, null being "no value"; of a value longer than a condition
 * takes, its beginning. Null where no condition means it: `!` and a trailing `*` have a meaning of their own.
 */
export function exactCondition(value: string | null): string[] | null {
  if (value === null) return [NO_VALUE];
  if (value === '' || value === NO_VALUE || value.startsWith('!')) return null;
  if (value.length > LONGEST) return [`${value.slice(0, LONGEST - 1)}*`];
  return value.endsWith('*') ? null : [value];
}
