import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { SIZE_RULE_BYTES } from '@/lib/dead-letter/size-rule';
import { sha256Of } from '@/test/support/sha256-of';
import { type PlannedFailure, plannedFailure } from './planned-failure';
import type { World } from './world';

/** What a schedule ended with. */
export interface Findings {
  acked: number;
  /** What a client said itself that it could not keep. */
  kept_nowhere: number;
  spooled: number;
  /** Acknowledged, and not in the queue. */
  lost: string[];
  /** Tasks whose own error did not come through. */
  masked: string[];
  /** Stored with other bytes, params or CRS than were given. */
  changed: string[];
  /** Counted twice: an occurrence under an id that no client made. */
  surplus: string[];
  /** Entries whose attempts are not their occurrences, or that were not captured as they stand. */
  miscounted: string[];
}

/** The lists of a schedule's findings that have to be empty. */
export const MUST_BE_EMPTY = ['lost', 'masked', 'changed', 'surplus', 'miscounted'] as const;

interface StoredRow {
  capture_id: string;
  work_key: string;
  via: string;
  geom_wkb: Buffer | null;
  payload_ref: string | null;
  src_crs: string | null;
  params: string | null;
  params_raw: Buffer | null;
}

export async function findingsOf(world: World, bursts: readonly number[], count: number): Promise<Findings> {
  const planned = new Map<string, PlannedFailure>();
  for (const burst of bursts)
    for (let i = 0; i < count; i += 1) {
      const failure = plannedFailure(burst, i);
      planned.set(failure.capture_id, failure);
    }
  const ids = (kind: string) =>
    world.said.filter((message) => message.kind === kind).map(({ capture_id }) => String(capture_id));
  const { rows } = await world.pool.query<StoredRow>(
    `select o.capture_id::text, e.work_key, o.via, p.geom_wkb, p.payload_ref, p.src_crs, p.params::text as params, p.params_raw
     from dlq.occurrence o join dlq.entry e on e.id = o.entry_id
     join dlq.payload p on p.entry_id = o.entry_id and p.payload_hash = o.payload_hash
     where o.capture_id = any ($1::uuid[])`,
    [[...planned.keys()]],
  );
  const stored = new Map(rows.map((row) => [row.capture_id, row]));
  const acked = ids('acked');
  return {
    acked: acked.length,
    kept_nowhere: ids('lost').length,
    spooled: rows.filter(({ via }) => via === 'spool').length,
    lost: acked.filter((id) => !stored.has(id)),
    masked: ids('masked'),
    changed: rows.filter((row) => !isAsGiven(world, row, planned.get(row.capture_id))).map((row) => row.capture_id),
    surplus: await surplus(world, bursts, [...planned.keys()]),
    miscounted: await miscounted(world, bursts),
  };
}

function isAsGiven(world: World, row: StoredRow, given: PlannedFailure | undefined): boolean {
  if (!given || row.work_key !== given.work_key || row.src_crs !== given.src_crs) return false;
  const params = row.params_raw ? row.params_raw.toString('utf8') : row.params;
  const same_params =
    JSON.stringify(params === null ? null : JSON.parse(params)) === JSON.stringify(sorted(given.params, row));
  return same_params && hasBytes(world, row, given.geometry);
}

/** jsonb keeps the members of an object in an order of its own. */
function sorted(value: unknown, row: StoredRow): unknown {
  if (row.params_raw || row.params === null) return value;
  return JSON.parse(JSON.stringify(value), (_key, member: unknown) => {
    if (typeof member !== 'object' || member === null || Array.isArray(member)) return member;
    const names = Object.keys(member).sort((a, b) => Buffer.byteLength(a) - Buffer.byteLength(b) || (a < b ? -1 : 1));
    return Object.fromEntries(names.map((name) => [name, (member as Record<string, unknown>)[name]]));
  });
}

function hasBytes(world: World, row: StoredRow, given: Uint8Array | null): boolean {
  if (given === null) return row.geom_wkb === null && row.payload_ref === null;
  if (given.byteLength <= SIZE_RULE_BYTES) return row.geom_wkb !== null && Buffer.compare(row.geom_wkb, given) === 0;
  // A blob store that could not take the bytes leaves them with the entry.
  if (row.geom_wkb !== null) return Buffer.compare(row.geom_wkb, given) === 0;
  const sha256 = sha256Of(given);
  return row.payload_ref === `sha256:${sha256}` && blobHas(world.blobs, sha256, given);
}

function blobHas(folder: string, sha256: string, given: Uint8Array): boolean {
  if (!existsSync(folder)) return false;
  const found = readdirSync(folder, { recursive: true }).find((name) => path.basename(String(name)) === sha256);
  return found !== undefined && Buffer.compare(readFileSync(path.join(folder, String(found))), given) === 0;
}

async function surplus(world: World, bursts: readonly number[], planned: readonly string[]): Promise<string[]> {
  const { rows } = await world.pool.query<{ capture_id: string }>(
    `select o.capture_id::text from dlq.occurrence o join dlq.entry e on e.id = o.entry_id
     where split_part(e.work_key, '/', 2) = any ($1::text[]) and o.capture_id <> all ($2::uuid[])`,
    [bursts.map(String), planned],
  );
  return rows.map(({ capture_id }) => capture_id);
}

async function miscounted(world: World, bursts: readonly number[]): Promise<string[]> {
  const { rows } = await world.pool.query<{ work_key: string }>(
    `select e.work_key from dlq.entry e left join dlq.state s on s.entry_id = e.id
     where split_part(e.work_key, '/', 2) = any ($1::text[])
       and (e.attempts <> (select count(*) from dlq.occurrence o where o.entry_id = e.id)
         or e.failed_at <> (select max(o.failed_at) from dlq.occurrence o where o.entry_id = e.id)
         or s.state is distinct from 'open'
         or (select count(*) from dlq.event v where v.entry_id = e.id and v.from_state is null) <> 1)`,
    [bursts.map(String)],
  );
  return rows.map(({ work_key }) => work_key);
}
