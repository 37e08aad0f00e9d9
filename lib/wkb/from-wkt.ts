import { type GeometryBytes, MAX_WRITE_DEPTH } from './geometry-tree';
import { WktParser, WktSyntaxError } from './wkt-parser';
import { writeEwkb } from './write-ewkb';

const SRID_PREFIX = /^\s*srid\s*=\s*(-?\d+)\s*;/i;

/**
 * EWKB of WKT or EWKT (`SRID=n;…`), types 1–17 but the abstract ones, names and NaN or Inf tokens in any case. Rings
 * stay unclosed and short where they are. The SRID of the text wins over `srid`. Never throws; `at` of an error is the
 * character offset. (wkx 0.5.0 reads Inf as NaN, refuses
 * lower case, implicit Z and EMPTY members, ignores what follows, and overflows the stack at 200,000 vertices.)
 */
export function ewkbFromWkt(text: string, srid: number | null = null): GeometryBytes {
  const prefix = SRID_PREFIX.exec(text);
  const from = prefix ? prefix[0].length : 0;
  // A negative SRID keeps its bits, as in EWKB.
  const own_srid = prefix ? Number(prefix[1]) >>> 0 : srid;
  if (prefix && Math.abs(Number(prefix[1])) > 0xffffffff)
    return { error: { code: 'not_a_geometry', message: `SRID ${prefix[1]} does not fit 32 bits`, at: '0' } };
  try {
    const tree = new WktParser(text, from, MAX_WRITE_DEPTH).parse();
    return { bytes: writeEwkb(tree, own_srid), srid: own_srid };
  } catch (thrown) {
    if (!(thrown instanceof WktSyntaxError)) throw thrown;
    return { error: { code: thrown.code, message: thrown.message, at: String(thrown.offset) } };
  }
}
