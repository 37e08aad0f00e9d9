import type { Turn } from './turn';

export type Place = readonly [x: number, y: number];

/** Whether the direction o → p lies strictly inside the angle that opens to the left of o → from and ends at o → to. */
export function isInWedge(turn: Turn, o: Place, from: Place, to: Place, p: Place): boolean {
  const opening = turn(...o, ...from, ...to);
  if (opening > 0) return turn(...o, ...from, ...p) > 0 && turn(...o, ...to, ...p) < 0;
  if (opening < 0) return !(turn(...o, ...to, ...p) >= 0 && turn(...o, ...from, ...p) <= 0);
  return turn(...o, ...from, ...p) > 0;
}

/** Whether the ways a0 → o → a1 and b0 → o → b1 change sides at o, or only touch there. */
export function crossAt(
  turn: Turn,
  o: Place,
  [a0, a1]: readonly [Place, Place],
  [b0, b1]: readonly [Place, Place],
): boolean {
  return isInWedge(turn, o, a1, a0, b0) !== isInWedge(turn, o, a1, a0, b1);
}
