import { createHash } from 'node:crypto';
import type { Db } from '@/db/client';
import type { Proposal } from '@/db/queries/capture';
import type { BlobStore } from '@/lib/blobs/blob-store';
import { getBlobStore } from '@/lib/blobs/open-blob-store';
import { storeBlob } from '@/lib/blobs/store-blob';
import { DlqError } from '@/lib/contract/error';
import { rawMembers } from '@/lib/contract/raw-member';
import { payloadRef, SIZE_RULE_BYTES } from '@/lib/dead-letter/size-rule';
import { getLog } from '@/lib/log';

/** A store that answers slower than this is treated as one that is away: a pipeline waits for its capture. */
const DEADLINE_MS = 10_000;
/** How long a store that was away is not asked again. */
const REST_MS = 30_000;
let away_until = 0;

/**
 * The size rule at the server's door: a geometry over it goes into the blob store first, and its proposal then names it
 * by payload_ref. Where the blob store takes nothing, the bytes stay inline: a capture is neither lost nor refused for that.
 * @throws what the database says; then nothing is stored.
 */
export async function moveLargeGeometry(
  db: Db,
  proposal: Proposal,
  { openStore = getBlobStore, deadline_ms = DEADLINE_MS }: { openStore?: () => BlobStore; deadline_ms?: number } = {},
): Promise<Proposal> {
  const large = largeGeometryOf(proposal);
  if (!large || Date.now() < away_until) return proposal;
  const sha256 = createHash('sha256').update(large.bytes).digest('hex');
  try {
    const signal = AbortSignal.timeout(deadline_ms);
    const storing = storeBlob({ db, store: openStore() }, { sha256, chunks: piecesOf(large.bytes), signal });
    await Promise.race([storing, abortOf(signal)]);
  } catch (error) {
    if (!isStoreAway(error)) throw error;
    away_until = Date.now() + REST_MS;
    getLog().warn({ size_bytes: large.bytes.byteLength }, 'the blob store takes nothing; large geometries stay inline');
    return proposal;
  }
  return byReference(proposal, { payload_ref: payloadRef(sha256), ...large.members });
}

/** The same for a chunk, one after the other, so that one geometry at a time is under way. */
export async function moveLargeGeometries(db: Db, proposals: readonly Proposal[]): Promise<Proposal[]> {
  const moved: Proposal[] = [];
  for (const proposal of proposals) moved.push(await moveLargeGeometry(db, proposal));
  return moved;
}

/** Not everything that a store does can be broken off; what goes on then harms nothing. */
function abortOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));
}

function isStoreAway(error: unknown): boolean {
  if (error instanceof DlqError) return error.code === 'storage_unavailable' || error.code === 'conflict';
  return error instanceof Error && error.name === 'TimeoutError';
}

/** What was given, where it is over the rule: the text of WKT or GeoJSON (its bytes are made from it), else the bytes. */
function largeGeometryOf({ p, wkb }: Proposal): { bytes: Uint8Array; members: Record<string, unknown> } | null {
  if ((wkb?.byteLength ?? 0) <= SIZE_RULE_BYTES && p.length * 3 <= SIZE_RULE_BYTES) return null;
  const { members } = rawMembers(p);
  const member = (name: string): unknown => JSON.parse(members.get(name) ?? 'null');
  const geom_given = member('geom_given');
  const geom_format = member('geom_format');
  if (typeof geom_given === 'string') {
    // A text that is neither hex nor base64 has no format under which a reader of the blob would know it.
    if (geom_format === 'wkb') return null;
    const bytes = Buffer.from(geom_given, 'utf8');
    return bytes.byteLength > SIZE_RULE_BYTES ? { bytes, members: {} } : null;
  }
  if (!wkb || wkb.byteLength <= SIZE_RULE_BYTES) return null;
  // Of bytes that the database does not see, the number of an EWKB has to be told.
  const srid = member('srid') ?? sridOf(wkb);
  return { bytes: wkb, members: { srid } };
}

/** The SRID of EWKB as `dlq.capture` takes it; null where the bytes have none that names a CRS. */
function sridOf(wkb: Uint8Array): number | null {
  const view = new DataView(wkb.buffer, wkb.byteOffset);
  const is_little = wkb[0] === 1;
  if ((view.getUint32(1, is_little) & 0x20000000) === 0) return null;
  const srid = view.getUint32(5, is_little);
  return srid >= 1 && srid <= 998_999 ? srid : null;
}

/** The other members stay as they stand, to the digit. */
function byReference({ p, work_key }: Proposal, added: Record<string, unknown>): Proposal {
  const { members } = rawMembers(p);
  for (const name of ['geom_given', 'given_hash', ...Object.keys(added)]) members.delete(name);
  const texts = [...members].map(([name, raw]) => `${JSON.stringify(name)}:${raw}`);
  for (const [name, value] of Object.entries(added)) texts.push(`${JSON.stringify(name)}:${JSON.stringify(value)}`);
  return { p: `{${texts.join(',')}}`, wkb: null, work_key };
}

async function* piecesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  const size = 1_000_000;
  for (let at = 0; at < bytes.byteLength; at += size) yield bytes.subarray(at, at + size);
}
