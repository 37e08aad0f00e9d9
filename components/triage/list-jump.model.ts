import { parseMoment } from '@/components/ui/time-text';

/**
 * A moment as people write one, as ISO 8601 in UTC: `2026-11-29 02:14`, `02:14` of the day of `now`, `7d` back from it;
 * null if it is none.
 */
export function jumpMoment(text: string, now: string): string | null {
  const written = text.trim().replace(/\s*UTC$/i, '');
  const clock = /^([01]?\d|2[0-3]):([0-5]\d)(:[0-5]\d)?$/.exec(written);
  if (clock) {
    const [, hour = '', minute, second = ''] = clock;
    return parseMoment(`${now.slice(0, 10)}T${hour.padStart(2, '0')}:${minute}${second}`, now);
  }
  return parseMoment(written.replace(/^(\d{4}-\d{2}-\d{2})\s+(\d)/, '$1T$2'), now);
}
