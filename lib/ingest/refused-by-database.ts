import { sqlStateOf } from '@/db/sql-state';
import { DlqError } from '@/lib/contract/error';

/** SQLSTATE classes that blame the values of this capture: data exception, integrity, syntax of a value, limits. */
const BLAMES_VALUES = /^(22|23|54)/;

/** The refusal of a capture whose values the database did not take, or null where the error is not about them. */
export function refusedByDatabase(error: unknown): DlqError | null {
  const code = sqlStateOf(error);
  if (!BLAMES_VALUES.test(code)) return null;
  let innermost = error;
  while (innermost instanceof Error && innermost.cause instanceof Error) innermost = innermost.cause;
  const message = innermost instanceof Error ? innermost.message.slice(0, 300) : '';
  return new DlqError('unprocessable', `the database refuses a value of this capture: ${message}`, { sqlstate: code });
}
