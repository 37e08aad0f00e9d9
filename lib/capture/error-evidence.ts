import { jsonText } from './params-json';

/** Kept of an error's text, of its traceback's beginning, and of its traceback's end (where the causes are). Characters. */
const TEXT_LIMIT = 2000;
const TRACEBACK_HEAD = 6000;
const TRACEBACK_TAIL = 4000;
const MAX_CAUSES = 8;
const MAX_THROWN_VALUES = 200;

export interface ErrorEvidence {
  error_type: string;
  error_text: string;
  traceback: string;
}

/** What is kept of anything that was thrown. Never throws, also for errors whose own members do. */
export function errorEvidence(error: unknown): ErrorEvidence {
  return cutEvidence(wholeEvidence(error));
}

/** Uncut, for a redaction: half a secret at a cut would not be found. */
export function wholeEvidence(error: unknown): ErrorEvidence {
  return { error_type: errorType(error), error_text: errorMessage(error), traceback: traceback(error) };
}

/** As every text column takes it, at the lengths that are kept. */
export function cutEvidence({ error_type, error_text, traceback }: ErrorEvidence): ErrorEvidence {
  return {
    error_type: columnText(error_type),
    error_text: columnText(headAndTail(error_text, TEXT_LIMIT, TEXT_LIMIT / 2)),
    traceback: columnText(headAndTail(traceback, TRACEBACK_HEAD, TRACEBACK_TAIL)),
  };
}

/**
 * The error's class. DOMException and the AWS SDK's …ServiceException are one class for many errors, so their name is
 * taken; so is a name that someone set on a plain Error.
 */
export function errorType(error: unknown): string {
  if (error === null || typeof error !== 'object') return error === null ? 'null' : typeof error;
  const name = readText(error, 'name');
  let made = '';
  try {
    made = error.constructor?.name ?? '';
  } catch {
    made = '';
  }
  if (/^(|DOMException|Error|Object|\w*ServiceException)$/.test(made)) return name || made || 'object';
  return made;
}

export function errorMessage(error: unknown): string {
  if (error === null || error === undefined) return String(error);
  if (typeof error === 'object') return readText(error, 'message') || (isError(error) ? '' : objectText(error));
  try {
    return String(error);
  } catch {
    return '';
  }
}

function isError(error: object): boolean {
  try {
    return error instanceof Error || 'stack' in error;
  } catch {
    return true;
  }
}

/** What was thrown in the place of an error says what it is by its members. */
function objectText(thrown: object): string {
  const { text } = jsonText(thrown, MAX_THROWN_VALUES);
  return text === '{}' || text === 'null' ? '' : text;
}

/** The error and what caused it, outermost first; an AggregateError's members count as causes. Cycles end the walk. */
export function causesOf(error: unknown): unknown[] {
  const found: unknown[] = [];
  const waiting: unknown[] = [error];
  while (waiting.length > 0 && found.length < MAX_CAUSES) {
    const one = waiting.shift();
    if (found.includes(one)) continue;
    found.push(one);
    const cause = readMember(one, 'cause');
    if (cause !== undefined && cause !== null) waiting.push(cause);
    const errors = readMember(one, 'errors');
    if (Array.isArray(errors)) waiting.push(...errors.slice(0, MAX_CAUSES));
  }
  return found;
}

/** A member as text; empty where there is none, where it is no text or number, or where reading it throws. */
export function readText(of: unknown, key: string): string {
  const value = readMember(of, key);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** A member of anything; undefined also where reading it throws. */
export function readMember(of: unknown, key: string): unknown {
  if (of === null || (typeof of !== 'object' && typeof of !== 'function')) return undefined;
  try {
    return Reflect.get(of, key);
  } catch {
    return undefined;
  }
}

function traceback(error: unknown): string {
  return causesOf(error)
    .map((one, i) => {
      const stack = readText(one, 'stack') || `${errorType(one)}: ${errorMessage(one)}`;
      const code = readText(one, 'code');
      return `${i === 0 ? '' : 'caused by: '}${stack}${code && !stack.includes(code) ? `\n    code: ${code}` : ''}`;
    })
    .join('\n');
}

function headAndTail(text: string, head: number, tail: number): string {
  if (text.length <= head + tail) return text;
  return `${text.slice(0, head)}\n… ${text.length - head - tail} characters cut …\n${text.slice(-tail)}`;
}

/** Text that every text column takes: NUL becomes ␀, as the server stores it, and lone surrogates their visible escapes. */
export function columnText(text: string): string {
  return text
    .replaceAll('\0', '␀')
    .replace(
      /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16)}`,
    );
}
