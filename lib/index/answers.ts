import type { State } from '../dead-letter/vocabulary';
import type { IndexFacet } from './query';

/** Microseconds since 1970, exact: a number within 1900 … 2079; beyond, a bigint, or ±Infinity for PostgreSQL's infinities. */
export type Instant = number | bigint;

export interface ValueCount {
  value: string | null;
  count: number;
}

/** The largest first, then by value in the order of code points, no value last; `distinct` counts those left out too. */
export interface FacetCounts {
  values: ValueCount[];
  distinct: number;
}

export interface SignatureFold {
  signature: string;
  count: number;
  /** Its newest failure. */
  failed_at_us: Instant;
  /** Its newest entry that the asker may read: where positions are public, a sensitive one only when there is no other. */
  example_id: number;
  /** When that one failed. */
  example_at_us: Instant;
}

/** Everything the triage page counts, for a query. */
export interface IndexFold {
  total: number;
  /** Entries not resolved, whatever the query. */
  depth: number;
  /** Each without its own condition. */
  facets: Record<IndexFacet, FacetCounts>;
  /** The most frequent reason first. */
  not_mapped: { reason: string; count: number }[];
  /** [west, south, east, north] of the matching positions, degrees; the centres of cells. */
  extent: [number, number, number, number] | null;
  /** Matching positions per z-order cell of zoom 7, ascending, the empty ones left out. */
  grid: { cell: number; count: number }[];
  /** Seconds since 1970 at which the days of the first and last failure on the time axis begin, whatever `since` and `until` say. */
  first_s: number | null;
  last_s: number | null;
  /** Failures on the time axis per UTC day (days since 1970) and class, by day, then class; since and until do not narrow them. */
  days: { day: number; failure_class: string; count: number }[];
  /** When each code version was first seen on the time axis, the newest of them, in order of time. */
  versions: { code_version: string; first_seen_us: number }[];
  /** The largest first, then by signature. */
  signatures: SignatureFold[];
}

/** How much of each list of a fold is wanted. */
export interface FoldLimits {
  facet_values: number;
  signatures: number;
  versions: number;
}

export interface PageOrder {
  dir: 'asc' | 'desc';
  limit: number;
  /** Begin behind this place in the order (failed_at, entry_id). */
  after?: { failed_at_us: Instant; entry_id: number } | undefined;
}

export interface TileAddress {
  z: number;
  x: number;
  y: number;
}

/** A cell of a tile that is not empty. */
export interface CellCount {
  /** Column and row among all cells of its zoom, from the north-west. */
  col: number;
  row: number;
  total: number;
  /** Entries a class, in the order of FAILURE_CLASSES. */
  classes: Uint32Array;
  /** Entries of a class outside the vocabulary. */
  other: number;
  reopened: number;
}

export interface TilePoint {
  entry_id: number;
  /** Its z-order cell (52 bits) that the asker may see. */
  cell: number;
  failure_class: string;
  reopened: boolean;
  state: State;
}

/** What the index holds, and the bytes of its typed arrays and (estimated) of its strings. */
export interface IndexMemory {
  bytes: number;
  rows: number;
  combos: number;
  /** Distinct (combo, state, reopened, position) that occur. */
  kinds: number;
  blocks: number;
  /** Share of the rows' arrays that is in use. */
  fill: number;
}
