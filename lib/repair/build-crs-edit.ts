import type { Tx } from '@/db/client';
import { repairClaimError } from '@/db/queries/repair-claim-error';
import { type AxisMove, repairMoveAxes } from '@/db/queries/repair-move-axes';
import { repairVersions } from '@/db/queries/repair-versions';
import type { PayloadEditBody } from '@/lib/contract/edit';
import { DlqError } from '@/lib/contract/error';
import { projText, readClaim } from '@/lib/crs/claim';
import { readWkb } from '@/lib/wkb/read-wkb';
import type { BuiltEdit } from './built-edit';
import { withSrid } from './ewkb-srid';
import { isCandidate } from './is-candidate';
import type { RepairSource } from './read-source';
import { secondsText, withinTime } from './within-time';

export type CrsEdit = Pick<PayloadEditBody, 'from_candidate' | 'swapped' | 'x_sign' | 'y_sign'> & { src_crs: string };

/** PostGIS clamps greater numbers to another one. */
const MAX_SRID = 998_999;
const AXES_LIMIT_MS = 8_000;

/**
 * Another claim, and with it another number on the geometry where it has one; where the axes were swapped or lost a sign, the
 * geometry with its axes in place too. @throws DlqError unprocessable
 */
export async function buildCrsEdit(tx: Tx, source: RepairSource, edit: CrsEdit): Promise<BuiltEdit> {
  const { src_crs } = edit;
  const move: AxisMove = { swapped: edit.swapped ?? false, x_sign: edit.x_sign ?? 1, y_sign: edit.y_sign ?? 1 };
  const number = await numberOf(tx, src_crs);
  if (edit.from_candidate && !isCandidate(source.candidates, src_crs, move))
    throw new DlqError(
      'unprocessable',
      `${src_crs}${axisWords(move)} is no candidate in the diagnosis of this payload`,
    );
  // a payload without a number stays without one
  const srid = source.srid === null ? null : number;
  const moves = move.swapped || move.x_sign < 0 || move.y_sign < 0;
  const wkb = await geometryUnder(tx, source, moves ? move : null, number);
  return { wkb, src_crs, srid, change: await changeWords(tx, source, edit, { srid, move, moves }) };
}

/** The number of spatial_ref_sys that a claim names, or null where it names a CRS by other means. */
async function numberOf(tx: Tx, src_crs: string): Promise<number | null> {
  const shown = `“${src_crs.slice(0, 80)}”`;
  const claim = readClaim(src_crs);
  const text = projText(claim);
  if (text === null)
    throw new DlqError(
      'unprocessable',
      `${shown} is no CRS: ${claim.kind === 'refused' ? claim.reason : 'it is empty'}`,
    );
  const error = await repairClaimError(tx, text);
  if (error !== null) throw new DlqError('unprocessable', `PROJ reads ${shown} as no CRS: ${error}`);
  const number = claim.kind === 'srid' ? claim.code : claim.kind === 'authority' ? claim.srid : null;
  return number !== null && number <= MAX_SRID ? number : null;
}

/** The geometry with its axes moved and its own number, where it has one, set right; null where it stays as it is. */
async function geometryUnder(
  tx: Tx,
  { wkb, why_not, entry_id }: RepairSource,
  move: AxisMove | null,
  number: number | null,
): Promise<Uint8Array | null> {
  const refuse = (why: string) =>
    new DlqError('unprocessable', `the axes of dead letter ${entry_id} cannot be moved: ${why}`);
  if (wkb === null) {
    if (move) throw refuse(why_not);
    return null;
  }
  const { error, srid } = readWkb(wkb, { max_findings: 0 });
  if (!move) return srid === null || srid === number ? null : withSrid(wkb, number);
  if (error) throw refuse(`its bytes cannot be read: ${error.message}`);
  const moved = await withinTime(tx, AXES_LIMIT_MS, (inner) => repairMoveAxes(inner, wkb, move));
  if (moved === null) throw refuse(`it takes longer than ${secondsText(AXES_LIMIT_MS)}`);
  if ('error' in moved) throw refuse(moved.error);
  return withSrid(moved.wkb, srid === null ? null : number);
}

async function changeWords(
  tx: Tx,
  source: RepairSource,
  { src_crs, from_candidate }: CrsEdit,
  { srid, move, moves }: { srid: number | null; move: AxisMove; moves: boolean },
): Promise<string> {
  const words = [`src_crs ${source.src_crs ?? 'none'} → ${src_crs}`];
  if (srid !== source.srid) words.push(`SRID ${source.srid} → ${srid ?? 'none'}`);
  if (moves) words.push(`${axisWords(move).slice(2)} by ${await repairVersions(tx)}`);
  if (from_candidate) words.push('a candidate of the diagnosis');
  return words.join(', ');
}

/** `, axes swapped, sign of x turned` */
function axisWords({ swapped, x_sign, y_sign }: AxisMove): string {
  return `${swapped ? ', axes swapped' : ''}${x_sign < 0 ? ', sign of x turned' : ''}${y_sign < 0 ? ', sign of y turned' : ''}`;
}
