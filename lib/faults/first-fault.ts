import type { FaultCode } from '@/lib/dead-letter/vocabulary';
import type { FoundFault } from './fault-report';

/** ST_IsValidDetail's answer for an invalid geometry. `at` is null where it names no finite place. */
export interface PostgisReason {
  reason: string;
  at: readonly [number, number] | null;
}

/** GEOS's words for a fault; the SQL function dlq.fault_code says the same. */
const CODE_OF_REASON: readonly (readonly [RegExp, FaultCode])[] = [
  [/^ring self-?intersection/i, 'ring_self_touch'],
  [/^self-?intersection/i, 'self_intersection'],
  [/hole lies outside/i, 'hole_outside_shell'],
  [/nested holes|holes are nested/i, 'nested_holes'],
  [/nested shells/i, 'nested_shells'],
  [/duplicate rings/i, 'duplicate_rings'],
  [/interior is disconnected/i, 'interior_disconnected'],
  [/too few points|point array must contain|invalid number of points/i, 'too_few_points'],
  [/invalid coordinate/i, 'non_finite_vertex'],
  [/closed/i, 'unclosed_ring'],
];

/**
 * Codes that say more exactly what GEOS calls by the one word. Where two edges of a ring lie on each other it may also
 * name an end of the stretch, where the ring meets itself; and a ring that begins and ends at NaN it calls open.
 */
const FINER: Partial<Record<FaultCode, readonly FaultCode[]>> = {
  self_intersection: ['self_intersection', 'overlapping_parts', 'spike', 'zero_area', 'duplicate_rings'],
  too_few_points: ['too_few_points', 'zero_length'],
  ring_self_touch: ['ring_self_touch', 'self_intersection', 'spike', 'zero_area'],
  unclosed_ring: ['unclosed_ring', 'too_few_points', 'non_finite_vertex'],
};

/** GEOS rounds a crossing in its own way: share of the greatest coordinate there. */
const TOLERANCE = 1e-9;

export function codeOfReason(reason: string): FaultCode {
  return CODE_OF_REASON.find(([words]) => words.test(reason))?.[1] ?? 'self_intersection';
}

/**
 * The faults with the one that PostGIS names in front: ours at its place, or where it names none the first of its kind,
 * or else PostGIS's own. So the first fault lies where PostGIS says. The order of the others stays.
 */
export function putFirst(faults: readonly FoundFault[], { reason, at }: PostgisReason): FoundFault[] {
  const code = codeOfReason(reason);
  const codes = FINER[code] ?? [code];
  const place = at && Number.isFinite(at[0]) && Number.isFinite(at[1]) ? at : null;
  const ofCode = faults.filter((fault) => fault.severity === 'fails' && codes.includes(fault.code));
  const ours = ofCode
    .filter((fault) => !place || liesAt(fault, place))
    .sort((a, b) => codes.indexOf(a.code) - codes.indexOf(b.code))[0];
  const doubled = ours || !place ? undefined : doubledRing(faults, ofCode);
  if (doubled && place) return [{ ...doubled, at: [...place] }, ...faults.filter((fault) => fault !== doubled)];
  if (!ours) {
    const own = place ? ([...place] as [number, number]) : null;
    return [{ code, path: null, at: own, message: reason, severity: 'fails' }, ...faults];
  }
  return [place ? beginAt(ours, place) : ours, ...faults.filter((fault) => fault !== ours)];
}

/** A ring that is there twice is wrong at every vertex: it is what remains where nothing else lies at the place. */
function doubledRing(faults: readonly FoundFault[], ofCode: readonly FoundFault[]): FoundFault | undefined {
  const doubled = ofCode.filter(({ code }) => code === 'duplicate_rings');
  const is_all = !faults.some(({ code }) => code === 'capped');
  return is_all && doubled.length === 1 ? doubled[0] : undefined;
}

function liesAt({ at, to }: FoundFault, place: readonly [number, number]): boolean {
  if (!at) return false;
  const tolerance = TOLERANCE * Math.max(...[...place, ...at, ...(to ?? at)].map(Math.abs));
  return distance(place, at, to ?? at) <= tolerance;
}

/** A stretch may be told from either end, or from between. */
function beginAt(fault: FoundFault, place: readonly [number, number]): FoundFault {
  if (!fault.to || !fault.at) return fault;
  const is_at = distance(place, fault.at, fault.at) <= distance(place, fault.to, fault.to);
  const is_end = liesAt({ ...fault, to: fault.at }, place) || liesAt({ ...fault, at: fault.to }, place);
  if (!is_end) return { ...fault, at: [...place] };
  return is_at ? fault : { ...fault, at: fault.to, to: fault.at };
}

/** From a place to the nearest of the stretch a–b. */
function distance(
  [x, y]: readonly [number, number],
  a: readonly [number, number],
  b: readonly [number, number],
): number {
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
  const length = Math.hypot(dx, dy);
  if (!(length > 0) || !Number.isFinite(length))
    return Math.min(Math.hypot(x - a[0], y - a[1]), Math.hypot(x - b[0], y - b[1]));
  const [ux, uy] = [dx / length, dy / length];
  const along = Math.min(length, Math.max(0, (x - a[0]) * ux + (y - a[1]) * uy));
  return Math.hypot(x - a[0] - along * ux, y - a[1] - along * uy);
}
