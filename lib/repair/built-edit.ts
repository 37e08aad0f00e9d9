/** An edit as it would be stored. */
export interface BuiltEdit {
  /** Null where the geometry stays as it is. */
  wkb: Uint8Array | null;
  src_crs: string | null;
  srid: number | null;
  /** What was done, in words, with the software that did it. */
  change: string;
}
