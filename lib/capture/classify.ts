import { type ErrorClass, errorClassOf, type FailureClass } from '../dead-letter/vocabulary';
import { CLASSIFY_RULES, type ClassifyRule } from './classify-rules';
import { causesOf, errorMessage, errorType, readMember, readText } from './error-evidence';

/**
 * A classifier of your own: a function that gives any word, or undefined to leave the decision to the built-in rules;
 * or rules that are asked before the built-in ones.
 */
export type Classify = ((error: unknown) => string | undefined) | readonly ClassifyRule<string>[];

export interface Classified {
  failure_class: string;
  error_class: ErrorClass;
}

/** A child's complaint stands at the end of its stderr, a library's at the beginning of its text. Characters of each. */
const MESSAGE_END = 2000;

/** The class of what broke, by the first rule that holds for the error or, failing that, for one of its causes. */
export function classify(error: unknown): FailureClass;
export function classify<Word extends string>(error: unknown, rules: readonly ClassifyRule<Word>[]): Word | 'unknown';
export function classify(error: unknown, rules: readonly ClassifyRule<string>[] = CLASSIFY_RULES): string {
  for (const one of causesOf(error)) {
    const rule = rules.find((candidate) => holds(candidate, one));
    if (rule) return rule.failure_class;
  }
  return 'unknown';
}

/** As `classify`, asking the caller's own classifier first; a classifier that throws counts as one that does not know. */
export function classified(error: unknown, own?: Classify): Classified {
  let failureClass: string | undefined;
  try {
    if (typeof own === 'function') failureClass = own(error);
    else if (own) failureClass = classify(error, [...own, ...CLASSIFY_RULES]);
  } catch {
    failureClass = undefined;
  }
  if (typeof failureClass !== 'string' || failureClass === '') failureClass = classify(error);
  return { failure_class: failureClass, error_class: errorClassOf(failureClass) };
}

function holds(rule: ClassifyRule<string>, error: unknown): boolean {
  const { type, code, status, flag, message } = rule;
  if (!type && !code && !status && !flag && !message) return false;
  if (type && !type.test(errorType(error)) && !type.test(readText(error, 'name'))) return false;
  if (code && !['code', 'exitCode', 'status', 'signal', 'errno'].some((key) => code.test(readText(error, key)))) {
    return false;
  }
  if (status && !httpStatuses(error).some((one) => status.test(one))) return false;
  if (flag && readMember(error, flag) !== true) return false;
  return !message || message.test(ends(errorMessage(error)));
}

function httpStatuses(error: unknown): string[] {
  const response = readMember(error, 'response');
  return [
    readText(error, 'status'),
    readText(error, 'statusCode'),
    readText(response, 'status'),
    readText(response, 'statusCode'),
    readText(readMember(error, '$metadata'), 'httpStatusCode'),
  ];
}

function ends(text: string): string {
  return text.length <= 2 * MESSAGE_END ? text : `${text.slice(0, MESSAGE_END)}\n${text.slice(-MESSAGE_END)}`;
}
