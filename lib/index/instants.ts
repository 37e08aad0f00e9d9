import type { Instant } from './answers';

/**
 * A failure's time is kept as a day, the millisecond of that day and the microsecond of that: a day is what the histogram
 * counts by, and comparing days decides nearly every comparison of times.
 * Days count from 1900-01-01 in 16 bits. What lies before the second of them or after 2079-06-04 has EARLIER or LATER as
 * its day, and its time is kept beside the columns.
 */
export const EARLIER = 0;
export const LATER = 65_535;
/** Days from 1900-01-01 to 1970-01-01. */
export const DAYS_TO_1970 = 25_567;
export const DAY_US = 86_400_000_000;

/** 2000-01-01, where the time axis begins. */
export const AXIS_FIRST_DAY = DAYS_TO_1970 + 10_957;

const AXIS_START_US = 946_684_800_000_000;
const LAST_SECOND = 2 ** 32 - 1;

/** Seconds from 2000-01-01, where the time axis begins, as 32 bits: what lies before is the first, what does not fit the last. */
export function axisSecondOf(at: Instant): number {
  return Math.max(0, Math.min(LAST_SECOND, Math.floor((Number(at) - AXIS_START_US) / 1e6)));
}

export const isBeforeAxis = (at: Instant): boolean => at < AXIS_START_US;

/** @param at microseconds since 1970. */
export function dayOf(at: Instant): number {
  // days are exact here: no instant this near to 1970 needs more than 53 bits
  const day = Math.floor(Number(at) / DAY_US) + DAYS_TO_1970;
  return Math.max(EARLIER, Math.min(LATER, day));
}

export const isFar = (day: number): boolean => day === EARLIER || day === LATER;

/** Microseconds since 1970 at which a day that is not far begins. */
export const startOf = (day: number): number => (day - DAYS_TO_1970) * DAY_US;

/** One form per instant, so that equal ones are `===`: a number within the days, beyond them a bigint or an infinity. */
export function canonical(at: Instant): Instant {
  if (!isFar(dayOf(at))) return Number(at);
  return typeof at === 'bigint' || Math.abs(at) === Number.POSITIVE_INFINITY ? at : BigInt(at);
}
