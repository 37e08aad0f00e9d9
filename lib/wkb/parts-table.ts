/**
 * The parts table: one row of six Int32 per geometry and per ring, in the order of the bytes (a parent before its
 * parts). A row of 24 bytes is what keeps a MultiPoint (21 bytes a point) within twice the input's size.
 *
 * | column | holds |
 * |---|---|
 * | TYPE | WKB code 1–17, or 0 for a ring of a Polygon or Triangle |
 * | DIMS | HAS_Z (1) and HAS_M (2) of this row; a part may differ from its parent in hostile bytes |
 * | DEPTH | 0 for the root |
 * | PARENT | row of the parent, −1 for the root |
 * | START | index in `coords` of the first double of this row (and of all below it) |
 * | COUNT | vertices of a Point, LineString, CircularString or ring; else the number of direct parts that were read |
 */
export const PART_COLUMNS = 6;
export const TYPE = 0;
export const DIMS = 1;
export const DEPTH = 2;
export const PARENT = 3;
export const START = 4;
export const COUNT = 5;

export const BYTES_PER_PART = PART_COLUMNS * Int32Array.BYTES_PER_ELEMENT;
