import type { SimilarItem } from '@/lib/contract/similar';

/** What follows the number: “same signature”, “within 5 km”, “wrong_unit”. */
export function similarWords({ kind, value }: Pick<SimilarItem, 'kind' | 'value'>): string {
  switch (kind) {
    case 'signature':
      return 'same signature';
    case 'source':
      return value === null ? 'of this task without a claim' : 'same source';
    case 'nearby':
      return `within ${value}`;
    case 'verdict':
      return String(value);
    case 'version':
      return value === null ? 'of this task without a version' : 'same task and version';
  }
}

/** The page with the filter, and the entry still open. */
export function similarAddress(filter: string, id: string): string {
  return `/?${filter}&entry=${encodeURIComponent(id)}`;
}

export const similarCount = ({ count, capped }: Pick<SimilarItem, 'count' | 'capped'>): string =>
  `${count.toLocaleString('en-GB')}${capped ? '+' : ''}`;
