import type { Evidence } from '@/lib/contract/entry';
import type { FaultPlace } from './fault-place.model';

/** Found because the numbers were read as degrees: with the right CRS they are gone. */
const OF_THE_READING = new Set(['out_of_range_vertex', 'crosses_antimeridian', 'touches_pole', 'encloses_pole']);
/** Verdicts under which the entry needs another CRS, or other axes, to be redriven. */
const ANOTHER_CRS = new Set([
  'no_claim',
  'unknown_crs',
  'srid_differs_from_claim',
  'metres_as_degrees',
  'degrees_as_metres',
  'axis_swapped',
  'wrong_unit',
  'wrong_zone',
  'wrong_crs',
  'outside_area_of_use',
]);

/** What the faults mean for the next try: which of them make it fail, also once the CRS is right. */
export function faultsWords(places: readonly FaultPlace[], crs_verdict: Evidence['crs_verdict']): string {
  const failing = places.flatMap(({ fault }, i) =>
    fault.severity === 'fails' ? [{ code: fault.code, number: i + 1 }] : [],
  );
  const total = places.length;
  if (failing.length === 0) return total === 1 ? 'a note, which need not fail' : 'notes, which need not fail';
  if (crs_verdict !== null && ANOTHER_CRS.has(crs_verdict)) {
    const again = failing.filter(({ code }) => !OF_THE_READING.has(code)).map(({ number }) => number);
    return again.length === 0
      ? 'none will fail again once the CRS is right'
      : `${numbersText(again)} will fail again once the CRS is right`;
  }
  if (failing.length === total) return total === 1 ? 'makes it fail' : 'each makes it fail';
  return `${numbersText(failing.map(({ number }) => number))} ${failing.length === 1 ? 'makes' : 'make'} it fail, the rest are notes`;
}

/** `1 and 2`, `1, 3 and 4`, `1 to 9`; many scattered ones are counted. */
export function numbersText(numbers: readonly number[]): string {
  const [first = 0, ...rest] = numbers;
  const last = numbers.at(-1) ?? 0;
  if (rest.length === 0) return String(first);
  if (numbers.length > 2 && last - first === numbers.length - 1) return `${first} to ${last}`;
  if (numbers.length > 6) return String(numbers.length);
  return `${numbers.slice(0, -1).join(', ')} and ${last}`;
}

/** Whether looking for faults was stopped, which the table says. */
export const cappedFault = (places: readonly FaultPlace[]) =>
  places.find(({ fault }) => fault.code === 'capped')?.fault ?? null;
