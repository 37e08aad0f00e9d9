const GROUPED = new Intl.NumberFormat('en-US');
const COMPACT = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });

/** `3,994`. */
export function countText(value: number): string {
  return GROUPED.format(value);
}

/** `50,000+` where a count is a lower bound. */
export function boundText(value: number, at_least: boolean): string {
  return `${countText(value)}${at_least ? '+' : ''}`;
}

/** For narrow places: whole up to 99,999, then `123.4K`. */
export function narrowCountText(value: number): string {
  return value < 100_000 ? GROUPED.format(value) : COMPACT.format(value);
}

/** `1 entry`, `3,994 entries`. */
export function countedText(value: number, one: string, many: string): string {
  return `${countText(value)} ${value === 1 ? one : many}`;
}

/** Metres as whole kilometres; one decimal below 10 km; `0` for under 50 m. */
export function kilometresText(metres: number): string {
  const km = metres / 1000;
  if (km < 0.05) return '0';
  return km < 10 ? km.toFixed(1) : countText(Math.round(km));
}
