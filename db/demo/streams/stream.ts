import type { Random } from '../random';
import type { Work } from '../work';

/** A unit that some night's run has to do. Its payload is extracted anew each night, by that night's release. */
export interface Unit {
  work_key: string;
  extract(version: string): Work;
}

/** One source of work: what is new on a night. */
export interface Stream {
  name: string;
  /** How likely a unit that failed is scheduled again on the next night. */
  again: number;
  units(night: number, random: Random, version: string): Unit[];
}

/** As many of `make` as a rate with a fraction says: 2.5 gives 2 or 3. */
export function many<T>(rate: number, random: Random, make: () => T): T[] {
  const count = Math.floor(rate) + (random.chance(rate % 1) ? 1 : 0);
  return Array.from({ length: count }, make);
}

export function digits(random: Random, length: number): string {
  return String(random.whole(0, 10 ** length - 1)).padStart(length, '0');
}

export function slug(name: string): string {
  return name
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_');
}
