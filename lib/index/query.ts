import type { State } from '../dead-letter/vocabulary';

/** The facets, in the order of the rail; each counts without its own condition. */
export const INDEX_FACETS = [
  'failure_class',
  'error_class',
  'crs_verdict',
  'src_crs',
  'srid',
  'task_name',
  'state',
  'code_version',
  'signature',
  'queue',
] as const;
export type IndexFacet = (typeof INDEX_FACETS)[number];

/** A row of `dlq.combo`. */
export interface ComboRow {
  id: number;
  queue: string;
  failure_class: string;
  error_class: string;
  task_name: string;
  src_crs: string | null;
  srid: number | null;
  code_version: string | null;
  signature: string;
  crs_verdict: string | null;
  unmappable_reason: string | null;
  sensitive: boolean;
}

/** What the index keeps of a row of `dlq.state`. */
export interface EntryRow {
  /** 1 … 2^32 − 1. */
  entry_id: number;
  /** Id of a combo that was added. */
  combo: number;
  state: State;
  reopened: boolean;
  /** Microseconds since 1970; ±Infinity as PostgreSQL's infinities. A bigint where a number would not be exact. */
  failed_at_us: number | bigint;
  /** z-order cell (52 bits), or null. */
  cell: number | null;
  public_cell: number | null;
}

/**
 * The conditions that the index answers; the filter of the contract is assignable to it. Values, `!` and a trailing `*`
 * mean what they mean there; `∅` is no value. What SQL has to answer comes as `entry_ids`.
 */
export interface Conditions {
  queue?: string[] | undefined;
  failure_class?: string[] | undefined;
  error_class?: string[] | undefined;
  task_name?: string[] | undefined;
  src_crs?: string[] | undefined;
  srid?: string[] | undefined;
  code_version?: string[] | undefined;
  signature?: string[] | undefined;
  crs_verdict?: string[] | undefined;
  unmappable_reason?: string[] | undefined;
  mappable?: boolean | undefined;
  sensitive?: boolean | undefined;
  reopened?: boolean | undefined;
  /** [west, south, east, north], degrees; the position's cell. West > east crosses 180°. */
  bbox?: readonly [number, number, number, number] | undefined;
}

export interface IndexQuery {
  conditions: Conditions;
  /** The states that are meant, as the contract's `statesOf` answers them. */
  states: readonly State[];
  /** Microseconds since 1970: since ≤ failed_at < until. ±Infinity where the instant is beyond PostgreSQL's. */
  since_us?: number | bigint | undefined;
  until_us?: number | bigint | undefined;
  /** Only these entries: what SQL found for the conditions that it alone can answer. */
  entry_ids?: Uint32Array | undefined;
  /** Whether positions are the true ones (operator, admin) or the public ones (viewer). */
  true_positions: boolean;
  /** The moment that “now” means on the time axis, microseconds since 1970. */
  now_us: number;
}
