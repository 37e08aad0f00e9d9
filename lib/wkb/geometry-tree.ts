/**
 * A geometry as the writers take it: flat coordinates for points, lines and arcs, rings for polygons and triangles,
 * parts for everything else. Only the field of its type is read.
 */
export interface GeometryTree {
  /** WKB code 1–17. */
  type: number;
  /** HAS_Z and HAS_M. */
  dims: number;
  coords?: number[];
  rings?: number[][];
  parts?: GeometryTree[];
}

/** Why a text or value is no geometry; `at` says where (a JSON path, or a character offset). */
export interface NotGeometry {
  code: 'not_a_geometry' | 'nesting_too_deep';
  message: string;
  at: string;
}

export type GeometryBytes = { bytes: Uint8Array; srid: number | null } | { error: NotGeometry };

/** As deep as the reader reads, so that what is written can be read again. */
export const MAX_WRITE_DEPTH = 64;
