'use client';
import { usePathname, useSearchParams } from 'next/navigation';
import { useCallback } from 'react';
import { ITEM_OUTCOMES, type OperationItem } from '@/lib/contract/operation';

type ItemOutcome = OperationItem['outcome'];

/** Which outcome's entries are listed, null for all; it stands in the address. */
export function useOutcomeTab(): [ItemOutcome | null, (outcome: ItemOutcome | null) => void] {
  const path = usePathname();
  const text = useSearchParams().get('outcome');
  const set = useCallback(
    // the router would ask the server for the page again
    (next: ItemOutcome | null) => window.history.replaceState(null, '', next ? `${path}?outcome=${next}` : path),
    [path],
  );
  return [ITEM_OUTCOMES.find((outcome) => outcome === text) ?? null, set];
}
