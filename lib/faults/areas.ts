import {
  CURVE,
  CURVE_POLYGON,
  HAS_Z,
  LINE_STRING,
  MULTI_POLYGON,
  MULTI_SURFACE,
  POLYGON,
  POLYHEDRAL_SURFACE,
  TRIANGLE,
} from '@/lib/wkb/geometry-type';
import { DEPTH, DIMS, PARENT, PART_COLUMNS, TYPE } from '@/lib/wkb/parts-table';
import type { WkbReading } from '@/lib/wkb/reading';

/** Polygons whose rings are compared with each other: one polygon, or all parts of a multipolygon. */
export interface Area {
  /** Rows of the polygons. */
  polygons: number[];
  /** What GEOS calls invalid `fails`; of the patches of a PolyhedralSurface it says nothing. */
  severity: 'fails' | 'note';
}

type Tables = Pick<WkbReading, 'parts' | 'part_count'>;

/**
 * Every area in the order of the bytes. A CurvePolygon counts where all its rings are straight. Patches of a surface in
 * space are left out: seen from above, a wall has no area and is nevertheless right.
 */
export function* areasOf({ parts, part_count }: Tables): Generator<Area, void> {
  const column = (row: number, name: number) => parts[row * PART_COLUMNS + name] as number;
  for (let row = 0; row < part_count; row++) {
    const type = column(row, TYPE);
    if (type === MULTI_POLYGON || type === MULTI_SURFACE) {
      const depth = column(row, DEPTH);
      const polygons: number[] = [];
      for (let part = row + 1; part < part_count && column(part, DEPTH) > depth; part++)
        if (column(part, PARENT) === row && isStraightPolygon({ parts, part_count }, part)) polygons.push(part);
      if (polygons.length > 0) yield { polygons, severity: 'fails' };
    } else if (isStraightPolygon({ parts, part_count }, row)) {
      const parent = column(row, PARENT);
      const parent_type = parent < 0 ? -1 : column(parent, TYPE);
      if (parent_type === MULTI_POLYGON || parent_type === MULTI_SURFACE) continue;
      if (parent_type !== POLYHEDRAL_SURFACE) yield { polygons: [row], severity: 'fails' };
      else if ((column(row, DIMS) & HAS_Z) === 0) yield { polygons: [row], severity: 'note' };
    }
  }
}

/** Rows of the rings of a polygon, the shell first. */
export function* ringsOf({ parts, part_count }: Tables, polygon: number): Generator<number, void> {
  const depth = parts[polygon * PART_COLUMNS + DEPTH] as number;
  for (let row = polygon + 1; row < part_count && (parts[row * PART_COLUMNS + DEPTH] as number) > depth; row++)
    yield row;
}

function isStraightPolygon(tables: Tables, row: number): boolean {
  const type = tables.parts[row * PART_COLUMNS + TYPE];
  if (type === POLYGON || type === TRIANGLE) return true;
  if (type !== CURVE_POLYGON && type !== CURVE) return false;
  for (const ring of ringsOf(tables, row)) if (tables.parts[ring * PART_COLUMNS + TYPE] !== LINE_STRING) return false;
  return true;
}
