import type { Fault } from '@/lib/contract/entry';
import type { FaultCode } from '@/lib/dead-letter/vocabulary';

/** A fault; where it is a stretch and no point (an overlap, a spike, a flat ring), it runs from `at` to `to`. */
export interface FoundFault extends Fault {
  code: FaultCode;
  to?: [number, number];
}

export interface FaultReport {
  /** Those that fail first, in each half by path; `capped` notes last. */
  faults: FoundFault[];
  /** All of each code, also those beyond the listed ones. */
  counts: Partial<Record<FaultCode, number>>;
  /** Something is not listed, or was not looked at: a `capped` fault says what. */
  capped: boolean;
}

export interface FaultOptions {
  /** x and y are degrees of longitude and latitude. */
  geographic?: boolean;
  /** Listed faults of each code; the rest is only counted. */
  max_listed?: number;
  /** Bound on the comparisons; one unit is about 2 ns of one core. */
  max_work?: number;
}
