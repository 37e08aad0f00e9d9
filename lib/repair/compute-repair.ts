import type { Tx } from '@/db/client';
import { repairMakeValid } from '@/db/queries/repair-make-valid';
import type { RepairMethod } from '@/lib/contract/repair';
import { readWkb } from '@/lib/wkb/read-wkb';
import type { WkbReading } from '@/lib/wkb/reading';
import { withSrid } from './ewkb-srid';
import type { RepairSource } from './read-source';
import { tooMuchWork } from './repair-effort';
import { whyNotRepair } from './why-not-repair';
import { secondsText, withinTime } from './within-time';

/** A bow-tie of 100,000 vertices takes linework 2.5 s, one of a million 38 s. */
export const REPAIR_LIMIT_MS = 8_000;

export type Computed =
  | { why_not: string; slow: boolean }
  | { why_not: null; before: Uint8Array; after: Uint8Array; reading: WkbReading; vertices_dropped: number };

/**
 * The repair of a payload's bytes within the time limit, by its estimate and then by `statement_ms`, with the SRID of the source; or why there is none.
 */
export async function computeRepair(
  tx: Tx,
  source: RepairSource,
  method: RepairMethod,
  statement_ms = REPAIR_LIMIT_MS,
): Promise<Computed> {
  if (source.wkb === null) return { why_not: source.why_not, slow: false };
  const reading = readWkb(source.wkb, { max_findings: 0 });
  const able = whyNotRepair(reading);
  if (able.why_not !== null) return { why_not: able.why_not, slow: false };
  const before = source.wkb;
  const slow = (why: string): Computed => ({
    why_not: `ST_MakeValid takes longer than ${secondsText(REPAIR_LIMIT_MS)} for it${why}`,
    slow: true,
  });
  const work = tooMuchWork(reading, method, REPAIR_LIMIT_MS);
  if (work !== null) return slow(`: ${work}`);
  const made = await withinTime(tx, statement_ms, (inner) => repairMakeValid(inner, before, method));
  if (made === null) return slow('');
  if (made.after_wkb === null)
    return { why_not: `ST_MakeValid refuses it: ${made.error ?? 'PostGIS answers nothing for it'}`, slow: false };
  const after = withSrid(made.after_wkb, reading.srid);
  return { why_not: null, before, after, reading, vertices_dropped: able.vertices_dropped };
}
