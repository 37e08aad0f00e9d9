import { causesOf, errorType, readMember, readText } from './error-evidence';

const ABORT_NAMES = new Set(['AbortError', 'CanceledError', 'CancelError']);
const ABORT_CODES = new Set(['ABORT_ERR', 'ERR_CANCELED']);

/**
 * True where the task was told to stop: by the error's own word, or because the error is the reason with which one of
 * the signals that the task was given was aborted. A deadline is a TimeoutError and is a failure, also where a library
 * throws an AbortError on account of it.
 */
export function isAbort(error: unknown, args: readonly unknown[] = []): boolean {
  if (!saysAbort(error) && !isReason(error, args)) return false;
  return !causesOf(error).some((one) => readText(one, 'name') === 'TimeoutError');
}

function saysAbort(error: unknown): boolean {
  const name = readText(error, 'name');
  // p-retry's AbortError says "try no more" of a failure, which it carries
  if (readMember(error, 'originalError') !== undefined) return false;
  if (ABORT_NAMES.has(name) || ABORT_NAMES.has(errorType(error)) || ABORT_CODES.has(readText(error, 'code'))) {
    return true;
  }
  if (readMember(error, 'isCanceled') === true) return true;
  const errors = readMember(error, 'errors');
  return Array.isArray(errors) && errors.length > 0 && errors.every(saysAbort);
}

function isReason(error: unknown, args: readonly unknown[]): boolean {
  const aborted = args
    .flatMap((arg) => [arg, readMember(arg, 'signal')])
    .filter((one) => readMember(one, 'aborted') === true && typeof readMember(one, 'throwIfAborted') === 'function');
  return aborted.some((signal) => causesOf(error).includes(readMember(signal, 'reason')));
}
