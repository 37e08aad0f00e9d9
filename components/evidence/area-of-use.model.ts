import type { Evidence } from '@/lib/contract/entry';
import type { Box } from './view.model';

/** Claims whose units are the degrees in which an area of use is given. */
const IN_DEGREES = /^\s*(?:epsg:(?:4326|4269|4267|4258|4283|7844)|ogc:crs84|crs84)\s*$/i;

/** The claim's area of use in source units: only where these are degrees, and it does not cross 180°. */
export function areaInSourceUnits(area: Evidence['area_of_use'], src_crs: string | null): Box | null {
  return area && IN_DEGREES.test(src_crs ?? '') && area[0] <= area[2] ? area : null;
}
