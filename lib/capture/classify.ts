import { type ErrorClass, errorClassOf, type FailureClass } from '../dead-letter/vocabulary';
import { CLASSIFY_RULES, type ClassifyRule } from './classify-rules';
import { causesOf, errorMessage, errorType, readText } from './error-evidence';

/** A classifier of your own: any word, or undefined to leave the decision to the built-in rules. */
export type Classify = (error: unknown) => string | undefined;

export interface Classified {
  failure_class: string;
  error_class: ErrorClass;
}

/** The class of what broke, by the first rule that holds for the error or, failing that, for one of its causes. */
export function classify(error: unknown, rules: readonly ClassifyRule[] = CLASSIFY_RULES): FailureClass {
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
    failureClass = own?.(error);
  } catch {
    failureClass = undefined;
  }
  if (typeof failureClass !== 'string' || failureClass === '') failureClass = classify(error);
  return { failure_class: failureClass, error_class: errorClassOf(failureClass) };
}

function holds(rule: ClassifyRule, error: unknown): boolean {
  if (rule.type && !rule.type.test(errorType(error))) return false;
  if (rule.code && !['code', 'exitCode', 'signal', 'errno'].some((key) => rule.code?.test(readText(error, key)))) {
    return false;
  }
  return !rule.message || rule.message.test(errorMessage(error));
}
