import type { UndiagnosedRow } from '@/db/queries/claim-undiagnosed';
import type { PlacedRow } from '@/db/queries/place-claims';
import type { DiagnosisInput } from '@/db/queries/write-diagnoses';
import type { Fault } from '@/lib/contract/entry';
import { type CrsJudgement, judgeCrs } from '@/lib/crs/judge-crs';
import { CRS_VERDICTS, type CrsVerdict, type UnmappableReason } from '@/lib/dead-letter/vocabulary';
import type { FoundFault } from '@/lib/faults/fault-report';
import { putFirst } from '@/lib/faults/first-fault';
import type { Judgement } from './judge';
import { MAX_TRIES } from './max-tries';
import { paramsBox } from './params-box';
import { type Sibling, siblingPrior } from './sibling-prior';
import { tileBox } from './tile-box';
import { windowFault } from './window-fault';

/** A diagnosis of what the bytes, the database and the siblings tell; where it lies is left to the writing statement. */
export function diagnosisOf(
  row: UndiagnosedRow,
  judgement: Judgement,
  placed: PlacedRow,
  siblings: readonly Sibling[],
): DiagnosisInput {
  const claim_error = unreadableClaim(placed);
  const verdict = withUnreadableClaim(judgeCrs(evidenceOf(row, judgement, placed, siblings)), claim_error);
  const { reason, error } = whyNowhere(judgement, placed, verdict, claim_error);
  return {
    entry_id: row.entry_id,
    tries: row.tries,
    payload_hash: row.payload_hash,
    unmappable_reason: reason,
    reproject_error: error,
    source_srid: placed.known_srid,
    source_text: placed.known_text,
    from_plane: !judgement.geographic,
    valid: placed.valid,
    faults: faultsOf(row, judgement, placed),
    ...verdict,
    claimed_id: judgement.claimed_id,
  };
}

function evidenceOf(row: UndiagnosedRow, judgement: Judgement, placed: PlacedRow, siblings: readonly Sibling[]) {
  const { lons, lats, place_error } = placed;
  const points = lons?.map((lon, i): [number, number] | null => {
    const lat = lats?.[i] ?? null;
    return lon === null || lat === null ? null : [lon, lat];
  });
  return {
    sample: judgement.sample,
    non_finite: judgement.non_finite,
    is_empty: judgement.is_empty,
    src_crs: row.src_crs,
    srid: judgement.srid,
    target_crs: row.target_crs,
    placed: points ? { points, error: place_error } : null,
    tile: tileBox(row),
    siblings: siblingPrior(siblings, row.entry_id),
    params_bbox: paramsBox(row.params_box),
  };
}

/** What PROJ says of a place, not of the CRS it was asked with. */
const OUT_OF_PLACE = /invalid coordinate|outside|tolerance|domain|code 4096/i;

/** PROJ's words where it cannot read the claim at all; a place that it does not reach is not the claim's fault. */
function unreadableClaim({ claim_error, place_error, lons }: PlacedRow): string | null {
  if (claim_error !== null) return claim_error;
  const is_nowhere = lons === null || lons.every((lon) => lon === null);
  return place_error !== null && is_nowhere && !OUT_OF_PLACE.test(place_error) ? place_error : null;
}

/** The registry may know a claim that this database does not: the database places it, so its word counts. */
function withUnreadableClaim(judgement: CrsJudgement, error: string | null): CrsJudgement {
  if (error === null || judgement.crs_verdict === 'unknown_crs' || judgement.also.includes('unknown_crs'))
    return judgement;
  const held: (CrsVerdict | null)[] = [judgement.crs_verdict, ...judgement.also, 'unknown_crs' as const].filter(
    (verdict) => verdict !== 'agrees',
  );
  const [crs_verdict = null, ...also] = CRS_VERDICTS.filter((verdict) => held.includes(verdict));
  const is_first = crs_verdict === 'unknown_crs';
  const crs_reason = is_first ? `The database's PROJ cannot read the claim: ${error}.` : judgement.crs_reason;
  return { ...judgement, crs_verdict, also, crs_reason };
}

/** Reasons that lie in the bytes come before what the numbers tell, and that before what the claim lacks. */
const OF_THE_BYTES: readonly (UnmappableReason | null)[] = [
  'no_geometry',
  'unreadable',
  'empty',
  'non_finite',
  'too_large',
];

function whyNowhere(
  judgement: Judgement,
  placed: PlacedRow,
  { crs_verdict }: CrsJudgement,
  claim_error: string | null,
): { reason: string | null; error: string | null } {
  const known = { reason: judgement.unmappable_reason, error: judgement.reproject_error };
  if (OF_THE_BYTES.includes(known.reason)) return known;
  if (placed.geom_error !== null) return { reason: 'unreadable', error: placed.geom_error };
  if (crs_verdict === 'not_geographic') return { reason: 'not_geographic', error: null };
  if (known.reason !== null) return known;
  return claim_error === null ? known : { reason: 'unknown_crs', error: claim_error };
}

const NOT_CHECKED: Fault = {
  code: 'capped',
  path: null,
  at: null,
  message: 'earlier tries failed or took too long, so PostGIS was not asked whether it is valid',
  severity: 'note',
};

function faultsOf(row: UndiagnosedRow, { faults }: Judgement, placed: PlacedRow): Fault[] {
  const { valid, invalid_reason, invalid_x, invalid_y } = placed;
  const at: [number, number] | null = invalid_x !== null && invalid_y !== null ? [invalid_x, invalid_y] : null;
  const found =
    valid === false && invalid_reason !== null
      ? putFirst(faults as FoundFault[], { reason: invalid_reason, at })
      : [...faults];
  const window = windowFault(row);
  const unchecked = row.tries >= MAX_TRIES ? [NOT_CHECKED] : [];
  return [...(window ? [window] : []), ...found, ...unchecked];
}
