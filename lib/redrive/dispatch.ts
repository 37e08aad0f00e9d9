import { randomUUID } from 'node:crypto';
import { asActor } from '@/db/as-actor';
import type { Db, Tx } from '@/db/client';
import { claim } from '@/db/queries/claim';
import { claimable } from '@/db/queries/claimable';
import { intend } from '@/db/queries/intend';
import { loadRedrives, type RedriveRow } from '@/db/queries/load-redrives';
import type { SettleItem } from '@/db/queries/settle';
import type { BlobStore } from '@/lib/blobs/blob-store';
import { getBlobStore } from '@/lib/blobs/open-blob-store';
import { getConfig } from '@/lib/config';
import type { Settlement } from '@/lib/dead-letter/redrive-transitions';
import type { Role } from '@/lib/dead-letter/vocabulary';
import { attachBlob, isByReference } from './attach-blob';
import { buildRequest, type RedriveHttpRequest } from './build-request';
import { giveBack, type RecordItems, skippedRecord, whyMissed } from './give-back';
import { judge } from './judge';
import { type Refusal, refusedClaims } from './refused-claims';
import { persist, retryRolledBack } from './retry';
import { sendAll } from './send-all';
import { settleBatch } from './settle-batch';
import { getTargets, type Target } from './targets';

export interface DispatchInput {
  /** Each entry once, with the version that was seen (previewed). */
  items: readonly { entry_id: string; version: string }[];
  operation_id: string | null;
  /** Why, as the history shall say it. */
  reason: string;
  /** Who holds the leases. */
  worker: string;
  /** Sends at a time. */
  concurrency?: number;
  /** For one send, its answer included. */
  timeout_ms?: number;
  targets?: Readonly<Record<string, Target>>;
  /** Where payloads kept by reference lie. */
  openStore?: () => BlobStore;
  /** After it nothing more is sent; what was claimed goes back to open. */
  signal?: AbortSignal;
  /** Called in the transaction that makes it so: an entry about to be sent (attempt_id), or left as it is (reason). */
  record?: RecordItems;
  /** Called in the transaction of the intents, before them: answers which entries are still to be sent, and holds them so. */
  hold?: (tx: Tx, entry_ids: readonly string[]) => Promise<ReadonlySet<string>>;
}

/** `outcome` is what the send came to; null where the entry was skipped, and `reason` says why. */
export interface Dispatched {
  entry_id: string;
  attempt_id: string | null;
  outcome: Settlement | null;
  reason: string | null;
  detail: string | null;
}

/** Beside the sends themselves: to claim, load, judge and settle. */
const MARGIN_MS = 10_000;

/**
 * Sends a batch of entries back: claim → judge (faithfulness) → intend, in one commit before the first send → send → settle.
 * Every item is answered for, once. Entries that had a worker die on them go one by one, so that one poisonous payload
 * does not quarantine the rest of its batch.
 */
export async function dispatch(
  { db, actor }: { db: Db; actor: { name: string; role: Role } },
  input: DispatchInput,
): Promise<Dispatched[]> {
  const known = await claimable(
    db,
    input.items.map((item) => item.entry_id),
  );
  const suspects = new Set(known.filter((row) => row.worker_deaths > 0).map((row) => row.entry_id));
  const batches = [
    input.items.filter((item) => !suspects.has(item.entry_id)),
    ...input.items.filter((item) => suspects.has(item.entry_id)).map((item) => [item]),
  ];
  const done: Dispatched[] = [];
  for (const items of batches)
    if (items.length > 0) done.push(...(await dispatchBatch(db, actor.name, { ...input, items })));
  return done;
}

async function dispatchBatch(db: Db, actor: string, input: DispatchInput): Promise<Dispatched[]> {
  const { operation_id, timeout_ms = 30_000, concurrency = 16, targets = getTargets() } = input;
  const { openStore = getBlobStore } = input;
  const acting = { actor, operation_id, reason: input.reason };
  const record: RecordItems = input.record ?? (async () => {});
  // every item may have to wait for its lane, each send before it taking its whole time
  const need_ms = Math.ceil(input.items.length / concurrency) * timeout_ms + MARGIN_MS;

  const { claimed, lost } = await retryRolledBack(() =>
    asActor(db, acting, async (tx) => {
      const wanted = input.items.map((item) => ({ ...item, attempt_id: randomUUID() }));
      const won = await claim(tx, wanted, { worker: input.worker, operation_id, lease_ms: need_ms + 60_000 });
      const ids = new Set(won.map((row) => row.entry_id));
      const refused = await refusedClaims(
        tx,
        input.items.map((item) => item.entry_id).filter((id) => !ids.has(id)),
      );
      await record(tx, refused.map(skippedRecord));
      return { claimed: won, lost: refused };
    }),
  );

  const rows = await loadRedrives(
    db,
    claimed.map((row) => row.attempt_id),
  );
  const { faithful, unfaithful } = await judge(rows, targets, openStore);
  await giveBack(db, acting, record, unfaithful);

  const started = performance.now();
  const { intended, wanted } = await retryRolledBack(() =>
    asActor(db, { ...acting, reason: 'about to be sent' }, async (tx) => {
      const ids = faithful.map((row) => row.entry_id);
      const held = input.hold ? await input.hold(tx, ids) : new Set(ids);
      const still = faithful.filter((row) => held.has(row.entry_id));
      const sent = await intend(tx, still, need_ms);
      await record(
        tx,
        sent.map(({ entry_id, attempt_id }) => ({ entry_id, outcome: 'sent', attempt_id })),
      );
      return { intended: new Set(sent.map((row) => row.attempt_id)), wanted: held };
    }),
  );
  const missed = await whyMissed(
    db,
    faithful.filter((row) => !intended.has(row.attempt_id)),
    wanted,
  );
  await giveBack(db, acting, record, missed);

  const results = await sendAll(
    faithful
      .filter((row) => intended.has(row.attempt_id))
      .map((row) => ({
        entry_id: row.entry_id,
        attempt_id: row.attempt_id,
        target: row.target,
        request: () => requestOf(row, openStore),
      })),
    {
      targets,
      timeout_ms,
      concurrency,
      until: started + need_ms - timeout_ms - MARGIN_MS / 2,
      signal: input.signal,
      settle: (items) => persist(() => settleBatch(db, { actor, operation_id }, items)),
    },
  );
  return [...[...lost, ...unfaithful, ...missed].map(skipped), ...results.map(sent)];
}

async function requestOf(row: RedriveRow, openStore: () => BlobStore): Promise<RedriveHttpRequest | null> {
  if (!isByReference(row)) return buildRequest(row, null);
  const whole = await attachBlob(openStore(), row);
  return whole && buildRequest(whole, getConfig().public_url);
}

const skipped = ({ entry_id, reason, detail }: Refusal): Dispatched => ({
  entry_id,
  attempt_id: null,
  outcome: null,
  reason,
  detail,
});
const sent = ({ entry_id, attempt_id, outcome, answer }: SettleItem): Dispatched => ({
  entry_id,
  attempt_id,
  outcome,
  reason: null,
  detail: answer,
});
