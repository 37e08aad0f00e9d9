import { sql } from 'drizzle-orm';
import type { Db, Tx } from '@/db/client';
import type { UndiagnosedRow } from '@/db/queries/claim-undiagnosed';
import { type PlacedRow, placeClaims } from '@/db/queries/place-claims';
import { siblingPriors } from '@/db/queries/sibling-priors';
import { writeDiagnoses } from '@/db/queries/write-diagnoses';
import type { Referenced } from '@/lib/blobs/read-referenced';
import { standForSample } from '@/lib/crs/vertex-sample';
import { diagnosisOf } from './diagnosis-of';
import { inSteps } from './in-steps';
import { type Judgement, judgeSteps } from './judge';
import { MAX_TRIES } from './max-tries';
import { RULESET } from './ruleset';
import type { Sibling } from './sibling-prior';

/** One geometry may hold a session this long. */
const STATEMENT_TIMEOUT_MS = 60_000;

/** Judges rows and has the database do its part, in one transaction. `referenced` belongs to the one row that it is given with. */
export async function diagnoseRows(
  db: Db,
  rows: readonly UndiagnosedRow[],
  referenced: Referenced | null,
): Promise<void> {
  if (rows.length === 0) return;
  const judged: Judged[] = [];
  for (const row of rows) judged.push({ row, judgement: await inSteps(judgeSteps({ ...row, referenced })) });
  const geom_wkb = referenced && 'wkb' in referenced ? referenced.wkb : null;
  await db.transaction(async (tx) => {
    await tx.execute(sql`select set_config('statement_timeout', ${String(STATEMENT_TIMEOUT_MS)}::text, true)`);
    const placed = await placedById(tx, judged, geom_wkb);
    const siblings = await siblingsByKey(tx, rows);
    const inputs = judged.map(({ row, judgement }) =>
      diagnosisOf(row, judgement, placed.get(row.entry_id) as PlacedRow, siblings.get(row.sibling_key) ?? []),
    );
    await writeDiagnoses(tx, inputs, { ruleset: RULESET, geom_wkb });
  });
}

type Judged = { row: UndiagnosedRow; judgement: Judgement };

async function placedById(
  tx: Tx,
  judged: readonly Judged[],
  geom_wkb: Uint8Array | null,
): Promise<Map<string, PlacedRow>> {
  const inputs = judged.map(({ row, judgement }) => ({
    entry_id: row.entry_id,
    payload_hash: row.payload_hash,
    source_srid: judgement.source_srid,
    source_text: judgement.source_text,
    points: judgement.sample ? standForSample(judgement.sample).flat() : [],
    may_be_validated: !judgement.non_finite && row.tries < MAX_TRIES,
  }));
  // Neighbours share what PROJ has set up: a session keeps 128 pairs of CRSs.
  inputs.sort(
    (a, b) => (a.source_srid ?? 0) - (b.source_srid ?? 0) || compare(a.source_text ?? '', b.source_text ?? ''),
  );
  const placed = await placeClaims(tx, inputs, geom_wkb);
  return new Map(placed.map((row) => [row.entry_id, row]));
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

async function siblingsByKey(tx: Tx, rows: readonly UndiagnosedRow[]): Promise<Map<string, Sibling[]>> {
  const found = await siblingPriors(tx, [...new Set(rows.map(({ sibling_key }) => sibling_key))]);
  return new Map(
    found.map(({ sibling_key, entry_ids, crs, lons, lats }) => [
      sibling_key,
      entry_ids.map((entry_id, i) => ({
        entry_id,
        crs: crs[i] as string,
        lon: lons[i] ?? null,
        lat: lats[i] ?? null,
      })),
    ]),
  );
}
