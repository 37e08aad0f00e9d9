'use client';
import { useState } from 'react';
import type { Operation } from '@/lib/contract/operation';
import { takenCount } from './outcomes.model';
import { paceOf, type Sample, secondsOf, withSample } from './pace.model';

/** How fast it goes, as seen since the page was opened. */
export function usePace(operation: Operation): { per_s: number | null; seconds: (number | null)[] } {
  const [samples, setSamples] = useState<readonly Sample[]>([]);
  const next = withSample(samples, { at: new Date(operation.as_of).getTime(), taken: takenCount(operation) });
  if (next !== samples) setSamples(next);
  return { per_s: paceOf(next), seconds: secondsOf(next) };
}
