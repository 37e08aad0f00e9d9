import { FAILURE_CLASSES, type FailureClass, isFailureClass } from '@/lib/dead-letter/vocabulary';

/** Any word outside the vocabulary is drawn as `other`, and keeps its own word beside it. */
export type SymbolClass = FailureClass | 'other';
export const SYMBOL_CLASSES: readonly SymbolClass[] = [...FAILURE_CLASSES, 'other'];

export type ClassShape = 'triangle' | 'square' | 'circle' | 'diamond' | 'question_mark' | 'cross';
/** The part of the token's name: `--c-<token>`, `--c-<token>-edge`, `--c-<token>-text`. */
export type ClassToken = 'geom' | 'crs' | 'time' | 'oom' | 'unk' | 'other';

/** Shape and hue say the same, so that neither is needed alone. */
export const CLASS_SYMBOLS: Record<SymbolClass, { shape: ClassShape; token: ClassToken }> = {
  invalid_geometry: { shape: 'triangle', token: 'geom' },
  crs_mismatch: { shape: 'square', token: 'crs' },
  upstream_timeout: { shape: 'circle', token: 'time' },
  oom: { shape: 'diamond', token: 'oom' },
  unknown: { shape: 'question_mark', token: 'unk' },
  other: { shape: 'cross', token: 'other' },
};

export function symbolClass(word: string): SymbolClass {
  return isFailureClass(word) ? word : 'other';
}
