import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { Db } from '@/db/client';
import { claim } from '@/db/queries/claim';
import { intend } from '@/db/queries/intend';
import { captureInto, type When } from './world';

export interface Unit {
  id: string;
  work_key: string;
  task_name: string;
}

/** New open entries of a task; a claim needs the task's manifest (`makeTasks`). */
export async function openEntries(db: Db, count: number, task_name = 'plain'): Promise<Unit[]> {
  const units: Unit[] = [];
  for (let n = 0; n < count; n++) {
    const work_key = `unit ${randomUUID()}`;
    const { id } = await captureInto(db, { work_key, task_name }, failureOf({}));
    units.push({ id, work_key, task_name });
  }
  return units;
}

const failureOf = (failure: { when?: When; attempt_id?: string | null }) => ({
  capture_id: randomUUID(),
  payload: 0,
  code_version: 'v1',
  when: failure.when ?? ('now' as const),
  attempt_id: failure.attempt_id ?? null,
});

export const failAgain = (db: Db, unit: Unit, failure: { when?: When; attempt_id?: string | null } = {}) =>
  captureInto(db, unit, failureOf(failure));

/** The entries with the versions they have now. */
export async function seenNow(db: Db, units: readonly Unit[]): Promise<{ entry_id: string; version: string }[]> {
  const { rows } = await db.execute<{ entry_id: string; version: string }>(sql`
    select entry_id::text, version::text from dlq.state
    where entry_id = any(${sql.param(units.map((unit) => unit.id))}::bigint[]) order by entry_id`);
  return rows;
}

export const CLAIM = { worker: 'test', operation_id: null, lease_ms: 60_000 } as const;

export async function claimAll(db: Db, units: readonly Unit[]) {
  const items = (await seenNow(db, units)).map((item) => ({ ...item, attempt_id: randomUUID() }));
  return claim(db, items, CLAIM);
}

/** Claimed and about to be sent. */
export async function sendAll(db: Db, units: readonly Unit[]) {
  return intend(db, await claimAll(db, units), 10_000);
}

export type StateRow = {
  entry_id: string;
  state: string;
  resolution: string | null;
  resolution_reason: string | null;
  redrive_attempts: number;
  redrive_total: number;
  cancel_requested: boolean;
  worker_deaths: number;
  attempts: number;
  outcomes: (string | null)[];
};

export async function statesOf(db: Db, units: readonly Unit[]): Promise<StateRow[]> {
  const { rows } = await db.execute<StateRow>(sql`
    select s.entry_id::text, s.state, s.resolution, s.resolution_reason, s.redrive_attempts, s.redrive_total, s.cancel_requested,
      s.worker_deaths, e.attempts,
      array(select r.outcome from dlq.redrive r where r.entry_id = e.id order by r.claimed_at) as outcomes
    from dlq.state s join dlq.entry e on e.id = s.entry_id
    where e.id = any(${sql.param(units.map((unit) => unit.id))}::bigint[]) order by e.id`);
  return rows;
}

export async function letLeasesRunOut(db: Db, units: readonly Unit[]): Promise<void> {
  await db.execute(sql`
    update dlq.state set lease_until = clock_timestamp() - interval '1 second'
    where lease_until is not null and entry_id = any(${sql.param(units.map((unit) => unit.id))}::bigint[])`);
}
