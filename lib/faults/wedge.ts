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

/** Whether two of the ways from o run in one direction: o is then the end of a stretch that both take. */
export function shareStretch(turn: Turn, o: Place, a: readonly Place[], b: readonly Place[]): boolean {
  return a.some((p) =>
    b.some(
      (q) =>
        Math.sign(p[0] - o[0]) === Math.sign(q[0] - o[0]) &&
        Math.sign(p[1] - o[1]) === Math.sign(q[1] - o[1]) &&
        turn(...o, ...p, ...q) === 0,
    ),
  );
}
