import type { Triage } from '@/lib/contract/triage';

/** What a newer answer to the same question has that the shown one has not. */
export type Arrivals = {
  /** Entries above the first one shown; they exist only where the list is ordered newest first. */
  fresh: number;
  /** The newer page was full of them: there are at least this many. */
  at_least: boolean;
  /** How the total changed. */
  delta: number;
};

export function arrivalsSince(shown: Triage, newer: Triage, newestFirst: boolean): Arrivals {
  const known = new Map(shown.items.map((item) => [item.id, item.failed_at]));
  const top = shown.items[0]?.failed_at ?? '';
  const isFresh = (item: Triage['items'][number]) => item.failed_at >= top && known.get(item.id) !== item.failed_at;
  const fresh = newestFirst ? newer.items.filter(isFresh).length : 0;
  return {
    fresh,
    at_least: fresh > 0 && fresh === newer.items.length && newer.next_cursor !== null,
    delta: newer.total - shown.total,
  };
}

/** `12 new`, `50+ new`, `40 fewer`; null when there is nothing to say. */
export function arrivalsText({ fresh, at_least, delta }: Arrivals): string | null {
  if (fresh > 0) return `${fresh}${at_least ? '+' : ''} new`;
  if (delta > 0) return `${delta} more`;
  return delta < 0 ? `${-delta} fewer` : null;
}
