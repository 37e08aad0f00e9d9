import type { Db } from '@/db/client';
import { repairVersions } from '@/db/queries/repair-versions';
import type { BlobStore } from '@/lib/blobs/blob-store';
import { getBlobStore } from '@/lib/blobs/open-blob-store';
import type { Repair, RepairMethod } from '@/lib/contract/repair';
import type { Role } from '@/lib/dead-letter/vocabulary';
import { readEntryId } from '@/lib/triage/entry-id';
import { isMasked } from '@/lib/triage/mask';
import { hexFromBytes } from '@/lib/wkb/hex';
import { claimedSource } from './claimed-source';
import { computeRepair, REPAIR_LIMIT_MS } from './compute-repair';
import { BUDGET } from './judge-loss';
import { measureRepair } from './measure-repair';
import { readSource } from './read-source';
import { inRepairSlot } from './repair-slots';

/** 32 MB as hex, as the evidence shows at most. */
const MAX_SHOWN_BYTES = 16_000_000;

interface Options {
  openStore?: () => BlobStore;
  /** Of the statement itself. */
  statement_ms?: number;
}

/**
 * What ST_MakeValid would make of an entry's current payload, and what would be lost. Stores nothing: the evidence stays.
 * @throws DlqError not_found; rate_limited; storage_unavailable. What cannot be repaired is an answer, not an error.
 */
export function previewRepair(
  { db, actor }: { db: Db; actor: { role: Role } },
  { id, method }: { id: string; method: RepairMethod },
  { openStore = getBlobStore, statement_ms = REPAIR_LIMIT_MS }: Options = {},
): Promise<Repair> {
  const started = performance.now();
  return inRepairSlot(async () => {
    const source = await readSource(db, readEntryId(id), openStore);
    const none: Repair = { ...NOTHING, id: source.entry_id, method, payload_hash: source.payload_hash, elapsed_ms: 0 };
    const elapsed = () => Math.round(performance.now() - started);
    if (isMasked(source.sensitive, actor.role))
      return { ...none, payload_hash: 'masked', why_not: 'it is masked for your role: an operator sees the geometry' };
    return db.transaction(
      async (tx) => {
        const made = await computeRepair(tx, source, method, statement_ms);
        if (made.why_not !== null) return { ...none, why_not: made.why_not, elapsed_ms: elapsed() };
        const { reprojected_wkb, ...figures } = await measureRepair(tx, {
          ...made,
          method,
          source: claimedSource(source.src_crs, source.srid ?? made.reading.srid),
        });
        return {
          ...none,
          ...figures,
          possible: true,
          geom_wkb: shownHex(made.after),
          geom_omitted:
            made.after.byteLength > MAX_SHOWN_BYTES ? 'the repair is over the 16 MB that this view shows' : null,
          reprojected_wkb: reprojected_wkb && shownHex(reprojected_wkb),
          computed_by: await repairVersions(tx),
          elapsed_ms: elapsed(),
        };
      },
      { accessMode: 'read only' },
    );
  });
}

const shownHex = (wkb: Uint8Array): string | null => (wkb.byteLength > MAX_SHOWN_BYTES ? null : hexFromBytes(wkb));

const NOTHING = {
  possible: false,
  why_not: null,
  was_valid: null,
  geom_wkb: null,
  geom_omitted: null,
  reprojected_wkb: null,
  reproject_error: null,
  type_before: null,
  type_after: null,
  dims_before: null,
  dims_after: null,
  parts_before: null,
  parts_after: null,
  vertices_before: null,
  vertices_after: null,
  vertices_dropped: null,
  area_before: null,
  area_after: null,
  area_delta_pct: null,
  area_difference: null,
  area_difference_of: null,
  area_difference_skipped: null,
  hausdorff: null,
  hausdorff_m: null,
  hausdorff_skipped: null,
  loss: null,
  loss_why: [],
  budget: BUDGET,
  computed_by: null,
} as const satisfies Partial<Repair>;
