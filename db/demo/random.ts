import { createHash } from 'node:crypto';
import { seeded } from './seeded';

/** A seeded source of numbers: the same seed and name always give the same sequence. */
export interface Random {
  /** In [0, 1). */
  next(): number;
  between(low: number, high: number): number;
  /** A whole number in [low, high]. */
  whole(low: number, high: number): number;
  chance(share: number): boolean;
  pick<T>(items: readonly T[]): T;
}

/** Named streams, so that one source of work can change without moving the others. */
export function randomOf(seed: number, ...names: (string | number)[]): Random {
  const digest = createHash('sha256')
    .update(`${seed}/${names.join('/')}`)
    .digest();
  const next = seeded(digest.readUInt32LE(0));
  return {
    next,
    between: (low, high) => low + (high - low) * next(),
    whole: (low, high) => low + Math.floor(next() * (high - low + 1)),
    chance: (share) => next() < share,
    pick: <T>(items: readonly T[]): T => {
      const item = items[Math.floor(next() * items.length)];
      if (item === undefined) throw new RangeError('nothing to pick from');
      return item;
    },
  };
}
