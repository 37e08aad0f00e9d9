import type { FailureClass } from '../dead-letter/vocabulary';
import { CRS_RULES, CRS_TYPES } from './classify-crs';
import { GEOMETRY_RULES, GEOMETRY_TYPES } from './classify-geometry';
import { OOM_RULES } from './classify-oom';
import { UPSTREAM_RULES } from './classify-upstream';

/**
 * One line of the classifier. A rule holds when everything it gives matches: `type` the error's constructor or name,
 * `code` its code, exit code, exit status, signal or errno, `status` its HTTP status, `flag` the name of a member that
 * is true, `message` its text. The first rule that holds decides.
 */
export interface ClassifyRule<Word extends string = FailureClass> {
  failure_class: Word;
  type?: RegExp;
  code?: RegExp;
  status?: RegExp;
  flag?: string;
  message?: RegExp;
  /** Whose error this is. */
  from: string;
  /** What is recognised, for people. */
  says: string;
}

/**
 * Everything that the client recognises. Order matters: what ran out of memory first, then waiting, then geometry before
 * coordinates, as in the database's `dlq.classify`; of these two an error's type says more than its text.
 */
export const CLASSIFY_RULES: readonly ClassifyRule[] = [
  ...OOM_RULES,
  ...UPSTREAM_RULES,
  ...GEOMETRY_TYPES,
  ...CRS_TYPES,
  ...GEOMETRY_RULES,
  ...CRS_RULES,
];
