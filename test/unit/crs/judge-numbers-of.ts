import { type CrsEvidence, type CrsJudgement, judgeCrs } from '@/lib/crs/judge-crs';
import { sampleVertices } from '@/lib/crs/vertex-sample';
import { ewkbFromWkt } from '@/lib/wkb/from-wkt';
import { readWkb } from '@/lib/wkb/read-wkb';

/** Judges a geometry in WKT; what is not given is not known. */
export function judgeWkt(wkt: string, given: Partial<CrsEvidence> = {}): CrsJudgement {
  const geometry = ewkbFromWkt(wkt);
  if (!('bytes' in geometry)) throw new Error(`${wkt}: ${geometry.error.message}`);
  return judgeBytes(geometry.bytes, given);
}

export function judgeBytes(bytes: Uint8Array, given: Partial<CrsEvidence> = {}): CrsJudgement {
  const reading = readWkb(bytes);
  return judgeCrs({
    sample: sampleVertices(reading),
    non_finite: reading.first_non_finite_vertex !== null,
    is_empty: reading.is_empty,
    src_crs: null,
    srid: null,
    target_crs: null,
    placed: null,
    tile: null,
    siblings: null,
    params_bbox: null,
    ...given,
  });
}
