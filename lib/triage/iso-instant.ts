const INSTANT_DAY_US = 86_400_000_000n;
/** Days after which the calendar repeats itself, and its years. */
const ERA_DAYS = 146_097n;
const ERA_YEARS = 400;

/** Microseconds since 1970, or an infinity, as the function `dlq.iso` of the database writes it. */
export function isoInstant(us: number | bigint): string {
  if (us === Number.POSITIVE_INFINITY) return 'infinity';
  if (us === Number.NEGATIVE_INFINITY) return '-infinity';
  const exact = BigInt(us);
  // of the era that begins in 1970: a Date ends before PostgreSQL's time does
  const era_us = ERA_DAYS * INSTANT_DAY_US;
  const eras = exact >= 0n ? exact / era_us : (exact - era_us + 1n) / era_us;
  const within = exact - eras * era_us;
  const at = new Date(Number(within / 1000n));
  const year = at.getUTCFullYear() + Number(eras) * ERA_YEARS;
  // to_char writes a year before the first as its number before our era, without saying so
  const shown = year > 0 ? year : 1 - year;
  const micro = String(within % 1000n).padStart(3, '0');
  return `${String(shown).padStart(4, '0')}${at.toISOString().slice(4, 23)}${micro}Z`;
}
