import type { Bases } from './bases';
import { stateCodeOf, stateOf } from './flags';
import type { Kinds } from './kinds';

export interface StateCount {
  failure_class: string;
  state: string;
  count: number;
}

/** How many entries of each class are in each state, from the counts of kinds: no row is looked at. */
export function countStates({ kinds, bases }: { kinds: Kinds; bases: Bases }): StateCount[] {
  const classes = bases.values.failure_class;
  const counts = new Map<number, { flags: number; count: number }>();
  for (let kind = 1; kind < kinds.size; kind += 1) {
    const count = kinds.count[kind]!;
    if (count === 0) continue;
    const flags = kinds.flags[kind]!;
    const key = bases.codes.failure_class[kinds.base[kind]!]! * 8 + stateCodeOf(flags);
    const known = counts.get(key);
    if (known) known.count += count;
    else counts.set(key, { flags, count });
  }
  return [...counts].map(([key, { flags, count }]) => ({
    failure_class: classes.textOf(Math.floor(key / 8)) ?? '',
    state: stateOf(flags),
    count,
  }));
}
