import type { Exported } from './export-rows';

/** What an export holds of geometries and payloads at once, in bytes, unless a single entry's are more. */
const HELD_BYTES = 8_000_000;

/** The page in parts whose bytes fit together; an empty page has none. */
export function* partsOf(page: readonly Exported[], bytesOf: (exported: Exported) => number): Generator<Exported[]> {
  let part: Exported[] = [];
  let bytes = 0;
  for (const exported of page) {
    const own = bytesOf(exported);
    if (part.length > 0 && bytes + own > HELD_BYTES) {
      yield part;
      part = [];
      bytes = 0;
    }
    part.push(exported);
    bytes += own;
  }
  if (part.length > 0) yield part;
}
