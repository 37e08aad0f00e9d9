/**
 * The words of the product, one meaning each; the same in SQL, NDJSON, HTTP, URL and TypeScript.
 *
 * dead letter (entry): one unit of work that exhausted its retries; one per `work_key`.
 * capture: writing a dead letter. occurrence: one capture of one failure; `attempts` counts them.
 * evidence: what was captured, immutable. diagnosis: what was computed from it, replaceable.
 * redrive: one try to send an entry back. operation: one bulk action over a frozen set.
 * footprint: the finite, reprojected, mappable geometry (EPSG:4326) of an entry, or none with the reason why.
 * depth: the number of entries not resolved.
 */

/** What broke. Small on purpose; a writer's other word is stored as it came and shown as outside the vocabulary. */
export const FAILURE_CLASSES = ['invalid_geometry', 'crs_mismatch', 'upstream_timeout', 'oom', 'unknown'] as const;
export type FailureClass = (typeof FAILURE_CLASSES)[number];

/** Would waiting help. */
export const ERROR_CLASSES = ['transient', 'fatal'] as const;
export type ErrorClass = (typeof ERROR_CLASSES)[number];

export const STATES = ['open', 'redriving', 'redriven', 'in_doubt', 'quarantined', 'resolved'] as const;
export type State = (typeof STATES)[number];

export const RESOLUTIONS = ['fixed', 'abandoned', 'duplicate', 'superseded', 'withdrawn'] as const;
export type Resolution = (typeof RESOLUTIONS)[number];

/** States that count towards depth. */
export const UNRESOLVED_STATES = STATES.filter((state) => state !== 'resolved');

/** Why an entry has no footprint. */
export const UNMAPPABLE_REASONS = [
  'no_geometry',
  'unreadable',
  'empty',
  'non_finite',
  'no_crs',
  'unknown_crs',
  'not_geographic',
  'outside_projection',
  'too_large',
  'not_diagnosed',
] as const;
export type UnmappableReason = (typeof UNMAPPABLE_REASONS)[number];

export const ROLES = ['viewer', 'operator', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** The class of a waiting-might-help failure, when the writer gave none. */
export function errorClassOf(failureClass: string): ErrorClass {
  return failureClass === 'upstream_timeout' || failureClass === 'oom' ? 'transient' : 'fatal';
}

export function isFailureClass(word: string): word is FailureClass {
  return (FAILURE_CLASSES as readonly string[]).includes(word);
}
