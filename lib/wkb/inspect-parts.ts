import { checkSequence } from './check-sequence';
import { FindingList } from './finding-list';
import {
  CIRCULAR_STRING,
  COMPOUND_CURVE,
  CURVE,
  CURVE_POLYGON,
  GEOMETRY_TYPE_NAMES,
  isCurveType,
  LINE_STRING,
  mayHold,
  RING,
  strideOf,
} from './geometry-type';
import { COUNT, DEPTH, DIMS, PARENT, PART_COLUMNS, START, TYPE } from './parts-table';
import { PathCursor } from './path-cursor';
import type { WkbReading } from './reading';
import { VertexScan } from './vertex-scan';

type Structure = Pick<WkbReading, 'srid' | 'trailing_bytes' | 'error' | 'coords' | 'parts' | 'part_count' | 'cut_part'>;
type Inspection = Pick<WkbReading, 'findings' | 'finding_counts' | 'bbox' | 'first_non_finite_vertex'>;

/** PostGIS keeps SRIDs up to this and rewrites larger ones without an error. */
const MAX_SRID = 999_999;

/** Looks at every part and vertex once: the faults that the bytes alone show, and the box of what is finite. */
export function inspectParts(structure: Structure, max_findings: number): Inspection {
  const { parts, coords, part_count } = structure;
  const found = new FindingList(max_findings);
  const path = new PathCursor();
  const vertices = new VertexScan(found, path);
  checkSrid(found, structure.srid);
  for (let row = 0; row < part_count; row++) {
    const at = row * PART_COLUMNS;
    const type = parts[at + TYPE] as number;
    const parent = parts[at + PARENT] as number;
    const parent_type = parent < 0 ? RING : (parts[parent * PART_COLUMNS + TYPE] as number);
    path.enter(parts[at + DEPTH] as number);
    if (parent >= 0 && type !== RING) checkFit(found, path, parts, row, parent);
    if (isCurveType(type) && !isCurveType(parent_type)) {
      const message = `${GEOMETRY_TYPE_NAMES[type]}: arcs are drawn and mapped as lines`;
      found.add('curve', () => ({ path: path.here(), at: null, message, severity: 'note' }));
    }
    const is_curve_ring = parent_type === CURVE_POLYGON || parent_type === CURVE;
    if (type <= LINE_STRING || type === CIRCULAR_STRING) {
      const run = {
        coords,
        start: parts[at + START] as number,
        count: parts[at + COUNT] as number,
        stride: strideOf(parts[at + DIMS] as number),
        type,
        is_ring: type === RING || is_curve_ring,
        is_cut: row === structure.cut_part,
      };
      checkSequence(found, path, run);
      vertices.scan(run);
    } else if (type === COMPOUND_CURVE && is_curve_ring && !structure.error) {
      checkCompoundRing(found, path, structure, row);
    }
  }
  if (structure.trailing_bytes > 0) {
    const message = `${structure.trailing_bytes} bytes follow the geometry`;
    found.add('trailing_bytes', () => ({ path: null, at: null, message, severity: 'note' }));
  }
  const { bbox, first_non_finite_vertex } = vertices;
  return { findings: found.close(), finding_counts: found.counts, bbox, first_non_finite_vertex };
}

function checkSrid(found: FindingList, srid: number | null): void {
  if (srid === null || srid <= MAX_SRID) return;
  const signed = srid > 0x7fffffff ? ` (${srid | 0} as a signed number)` : '';
  const message = `SRID ${srid}${signed} is outside 0–${MAX_SRID}; PostGIS would rewrite it`;
  found.add('srid_out_of_range', () => ({ path: null, at: null, message, severity: 'note' }));
}

/** PostGIS refuses a part of the wrong type or of other dimensions than its parent's. */
function checkFit(found: FindingList, path: PathCursor, parts: Int32Array, row: number, parent: number): void {
  const type = parts[row * PART_COLUMNS + TYPE] as number;
  const parent_type = parts[parent * PART_COLUMNS + TYPE] as number;
  const fits = mayHold(parent_type, type);
  if (fits && parts[row * PART_COLUMNS + DIMS] === parts[parent * PART_COLUMNS + DIMS]) return;
  const message = fits
    ? `a part whose Z and M differ from those of its ${GEOMETRY_TYPE_NAMES[parent_type]}`
    : `a ${GEOMETRY_TYPE_NAMES[parent_type]} cannot hold a ${GEOMETRY_TYPE_NAMES[type]}`;
  found.add('unknown_type', () => ({ path: path.here(), at: null, message, severity: 'fails' }));
}

/** A CompoundCurve as a ring closes over its members: the first vertex of the first, the last of the last. */
function checkCompoundRing(found: FindingList, path: PathCursor, structure: Structure, row: number): void {
  const { parts, coords, part_count } = structure;
  const depth = parts[row * PART_COLUMNS + DEPTH] as number;
  let next = row + 1;
  while (next < part_count && (parts[next * PART_COLUMNS + DEPTH] as number) > depth) next++;
  const first = parts[row * PART_COLUMNS + START] as number;
  const end = next < part_count ? (parts[next * PART_COLUMNS + START] as number) : coords.length;
  const last = end - strideOf(parts[(next - 1) * PART_COLUMNS + DIMS] as number);
  if (last <= first) return;
  const [x0, y0] = coords.subarray(first, first + 2) as unknown as [number, number];
  const [x1, y1] = coords.subarray(last, last + 2) as unknown as [number, number];
  if (x0 === x1 && y0 === y1) return;
  const message = `the ring ends at ${x1} ${y1}, not where it began, at ${x0} ${y0}`;
  found.add('unclosed_ring', () => ({ path: path.here(), at: null, message, severity: 'fails' }));
}
