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

/** What is known of the claimed CRS, in the order of precedence: an entry's verdict is the first that holds. */
export const CRS_VERDICTS = [
  'non_finite',
  'not_geographic',
  'no_claim',
  'unknown_crs',
  'srid_differs_from_claim',
  'metres_as_degrees',
  'degrees_as_metres',
  'axis_swapped',
  'wrong_unit',
  'wrong_zone',
  'wrong_crs',
  'outside_area_of_use',
  'outside_target_area',
  'deprecated',
  'agrees',
] as const;
export type CrsVerdict = (typeof CRS_VERDICTS)[number];

/** What can be wrong with a geometry or its bytes. */
export const FAULT_CODES = [
  'truncated',
  'trailing_bytes',
  'bad_byte_order',
  'unknown_type',
  'nesting_too_deep',
  'too_few_points',
  'unclosed_ring',
  'non_finite_vertex',
  'out_of_range_vertex',
  'repeated_point',
  'spike',
  'zero_length',
  'zero_area',
  'self_intersection',
  'ring_self_touch',
  'hole_outside_shell',
  'nested_holes',
  'nested_shells',
  'duplicate_rings',
  'overlapping_parts',
  'interior_disconnected',
  'crosses_antimeridian',
  'touches_pole',
  'encloses_pole',
  'srid_out_of_range',
  'curve',
  'window_outside_raster',
  'capped',
] as const;
export type FaultCode = (typeof FAULT_CODES)[number];

export const ROLES = ['viewer', 'operator', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** The class of a waiting-might-help failure, when the writer gave none. */
export function errorClassOf(failureClass: string): ErrorClass {
  return failureClass === 'upstream_timeout' || failureClass === 'oom' ? 'transient' : 'fatal';
}

export function isFailureClass(word: string): word is FailureClass {
  return (FAILURE_CLASSES as readonly string[]).includes(word);
}
