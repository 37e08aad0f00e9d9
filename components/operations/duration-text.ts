import { clockText, momentText } from '@/components/ui/time-text';

/** How long, in the two largest units: `45 s`, `2 min 29 s`, `1 h 12 min`, `3 d 4 h`. Part of a second counts as one. */
export function durationText(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds));
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return pair(whole, 60, 'min', 1, 's');
  if (whole < 2 * 86_400) return pair(whole, 3600, 'h', 60, 'min');
  return pair(whole, 86_400, 'd', 3600, 'h');
}

/** Today's moments as `14:36:35`, older as `29 Nov 02:14`; in UTC, which is said beside it. */
export function whenText(at: string, now: string): string {
  return at.slice(0, 10) === now.slice(0, 10) ? clockText(at) : momentText(at, now);
}

/** The second unit is left out where it is 0. */
function pair(seconds: number, large: number, largeUnit: string, small: number, smallUnit: string): string {
  const rest = Math.floor((seconds % large) / small);
  return `${Math.floor(seconds / large)} ${largeUnit}${rest === 0 ? '' : ` ${rest} ${smallUnit}`}`;
}
