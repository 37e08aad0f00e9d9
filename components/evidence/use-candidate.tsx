'use client';
import type { Candidate, Entry } from '@/lib/contract/entry';
import { readingWords } from './candidate-words.model';
import { ConfirmEdit } from './repair-confirm';
import { candidateChanges } from './repair-words.model';

/** Takes a candidate's CRS, and its axes, for a redrive; never by itself. */
export function UseCandidate({ entry, candidate }: { entry: Entry; candidate: Candidate }) {
  const { crs, swapped } = candidate;
  const x_sign = candidate.x_sign ?? 1;
  const y_sign = candidate.y_sign ?? 1;
  const words = readingWords(candidate);
  const reading = words && `, ${words}`;
  return (
    <ConfirmEdit
      entry={entry}
      label={`Use ${crs.length > 24 ? 'this CRS' : crs}${reading}…`}
      title={`Use ${crs}${reading} for a redrive`}
      changes={candidateChanges(entry.payload, { crs, swapped, x_sign, y_sign })}
      change={{ src_crs: crs, from_candidate: true, swapped, x_sign, y_sign }}
    />
  );
}
