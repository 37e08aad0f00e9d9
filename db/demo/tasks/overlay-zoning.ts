import { buffer, fromJts, intersection, isValid, type JtsGeometry, toJts } from '../jts';
import { GeometryRepairError } from '../pipeline-errors';
import { atLeast } from '../versions';
import { readWkb, rectangle } from '../vertices';
import type { Work } from '../work';

interface District {
  zone_code: string | null;
  bbox: [number, number, number, number];
}

/** Cuts a county block by its zoning districts. Returns one piece for each district that it meets. */
export function overlayZoning(work: Work, version: string) {
  let block = toJts(readWkb(work.geom_wkb ?? ''));
  if (atLeast(version, '2.14.1') && !isValid(block)) block = repaired(block, Number(work.params.max_area_change));
  const districts = work.params.districts as District[];
  return districts.flatMap((district) => {
    const piece = intersection(block, toJts(rectangle(district.bbox)));
    return piece.isEmpty() ? [] : [{ zone: zoneOf(district, version), area: piece.getArea(), shape: fromJts(piece) }];
  });
}

/** Districts of towns without zoning have no code; 2.14.1 knows that. */
function zoneOf(district: District, version: string): string {
  if (atLeast(version, '2.14.1') && district.zone_code === null) return 'UNZONED';
  return (district.zone_code as string).trim().toUpperCase();
}

/** A buffer of zero nodes the rings anew; what it drops may be land, so the change of area is bounded. */
function repaired(block: JtsGeometry, maxAreaChange: number): JtsGeometry {
  const before = block.getArea();
  const after = buffer(block, 0);
  const change = Math.abs(after.getArea() - before) / before;
  if (change <= maxAreaChange) return after;
  throw new GeometryRepairError(`repair changes the area by ${(change * 100).toFixed(2)} %`);
}
