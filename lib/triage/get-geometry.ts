import type { GeometryFormat } from '@/lib/contract/entry';
import { DlqError } from '@/lib/contract/error';
import { bytesFromHex } from '@/lib/wkb/hex';
import { geoJsonFromWkb, wktFromWkb } from '@/lib/wkb/to-text';
import { getEvidence } from './get-evidence';
import type { TriageContext } from './triage-context';

const TEXT = { wkt: wktFromWkb, geojson: geoJsonFromWkb };

/**
 * The geometry of an entry's current payload: the bytes as stored, or as text in source units, without a repair.
 * @throws DlqError not_found; unprocessable with the reason where there are no bytes or no faithful text of them.
 */
export async function getGeometry(
  ctx: TriageContext,
  { id, format }: { id: string; format: GeometryFormat },
): Promise<Uint8Array | string> {
  const evidence = await getEvidence(ctx, { id });
  const bytes = evidence.geom_wkb === null ? null : bytesFromHex(evidence.geom_wkb);
  if (!bytes)
    throw new DlqError(
      'unprocessable',
      `dead letter ${id} has no geometry here: ${evidence.geom_omitted ?? 'none was captured'}`,
    );
  if (format === 'wkb') return bytes;
  const text = TEXT[format](bytes);
  if ('reason' in text)
    throw new DlqError('unprocessable', `dead letter ${id} has no faithful ${format}: ${text.reason}; take format=wkb`);
  return text.text;
}
