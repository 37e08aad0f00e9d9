'use client';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { ghostQuery } from '@/lib/api/evidence';
import type { Evidence, Ghost } from '@/lib/contract/entry';
import { isNamed } from './candidate-words.model';
import { rereadOf } from './reread.model';

export type GhostShown = {
  reprojected_wkb: string | null;
  leads: boolean;
  shown: Ghost['shown'];
  problem: string | null;
};

/** The candidate in hand as the database places it; null where none is in hand or its ghost is still to come. */
export function useGhost(evidence: Evidence, index: number | null): GhostShown | null {
  const candidate = index === null ? null : (evidence.candidates[index] ?? null);
  const { data, error } = useQuery({
    ...ghostQuery(
      evidence.id,
      candidate ? { crs: candidate.crs, ...rereadOf(candidate) } : { crs: '', swapped: false, x_sign: 1, y_sign: 1 },
    ),
    enabled: candidate !== null,
  });
  const leads = index !== null && isNamed(evidence, index);
  return useMemo(() => {
    if (!candidate) return null;
    if (error) return { reprojected_wkb: null, leads, shown: null, problem: error.message };
    return data ? { reprojected_wkb: data.reprojected_wkb, leads, shown: data.shown, problem: data.error } : null;
  }, [candidate, data, error, leads]);
}
