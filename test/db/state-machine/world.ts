import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { expect } from 'vitest';
import type { Db } from '@/db/client';
import { capturedEntry, type EntryModel, type Failure } from '@/lib/dead-letter/entry-model';

/** The pure side: three entries and a clock that ticks once a command. */
export interface Model {
  entries: EntryModel[];
  now: number;
}

/** The database's side of the same three entries. */
export interface Real {
  db: Db;
  ids: string[];
  keys: string[];
}

/** The target of the second and third does not run one key twice, so that they can be redriven out of doubt. */
export const TASKS = ['plain', 'idempotent', 'idempotent'] as const;
export const MAX_REDRIVES = 2;

/** When a failure happened: as milliseconds of the model's clock and as SQL. The model runs for far less than 30 s. */
export const WHEN = {
  now: { model: (now: number) => now, sql: sql`clock_timestamp()` },
  by_a_slow_clock: { model: (now: number) => now - 30_000, sql: sql`clock_timestamp() - interval '30 seconds'` },
  long_ago: { model: () => -1e12, sql: sql`timestamptz '2001-01-01'` },
} as const;
export type When = keyof typeof WHEN;

export async function makeTasks(db: Db): Promise<void> {
  await db.execute(sql`
    insert into dlq.task (task_name, code_versions, params_schema, target, idempotent, updated_by)
    values ('plain', '{v1}', '{}', 'here', false, 'test'), ('idempotent', '{v1}', '{}', 'here', true, 'test')`);
}

export async function captureInto(
  db: Db,
  unit: { work_key: string; task_name: string },
  failure: { capture_id: string; payload: number; code_version: string; when: When; attempt_id: string | null },
): Promise<{ id: string; outcome: string }> {
  const { rows } = await db.execute<{ id: string; outcome: string }>(sql`
    select c.entry_id::text as id, c.outcome from dlq.capture(jsonb_build_object(
      'work_key', ${unit.work_key}::text, 'task_name', ${unit.task_name}::text, 'capture_id', ${failure.capture_id}::text,
      'params', jsonb_build_object('n', ${failure.payload}::integer), 'code_version', ${failure.code_version}::text,
      'failed_at', ${WHEN[failure.when].sql}, 'attempt_id', ${failure.attempt_id}::text, 'error_text', 'it broke')) c`);
  return rows[0]!;
}

/** Three new entries, in both worlds. */
export async function makeWorld(db: Db): Promise<{ model: Model; real: Real }> {
  const model: Model = { entries: [], now: 0 };
  const real: Real = { db, ids: [], keys: [] };
  for (const task_name of TASKS) {
    const capture_id = randomUUID();
    const work_key = `unit ${capture_id}`;
    const first = { capture_id, payload: 0, code_version: 'v1', when: 'now', attempt_id: null } as const;
    const { id } = await captureInto(db, { work_key, task_name }, first);
    await db.execute(sql`update dlq.state set max_redrives = ${MAX_REDRIVES} where entry_id = ${id}`);
    model.now += 1;
    const failure: Failure = {
      capture_id,
      payload_hash: '0',
      code_version: 'v1',
      failed_at: model.now,
      received_at: model.now,
      attempt_id: null,
    };
    model.entries.push(capturedEntry(failure, MAX_REDRIVES));
    real.ids.push(id);
    real.keys.push(work_key);
  }
  return { model, real };
}

/** What both worlds must agree on, field by field. */
function modelFields(entry: EntryModel) {
  return {
    state: entry.state,
    resolution: entry.resolution,
    version: entry.version,
    attempts: entry.failures.length,
    redrive_attempts: entry.redrive_attempts,
    redrive_total: entry.redrive_total,
    reopen_count: entry.reopen_count,
    attempt_id: entry.attempt_id,
    leased: entry.lease_until !== null,
    redriven: entry.redriven_at !== null,
    cancel_requested: entry.cancel_requested,
    worker_deaths: entry.worker_deaths,
    payload: entry.payload_hash,
    code_version: entry.code_version,
    redrives: entry.redrives
      .map(({ attempt_id, sent_at, outcome }) => `${attempt_id} ${sent_at !== null} ${outcome}`)
      .sort(),
  };
}

async function realFields(real: Real): Promise<Record<string, unknown>[]> {
  const { rows } = await real.db.execute(sql`
    select s.state, s.resolution, s.version::integer, e.attempts, s.redrive_attempts, s.redrive_total, s.reopen_count,
      s.attempt_id::text, s.lease_until is not null as leased, s.redriven_at is not null as redriven, s.cancel_requested,
      s.worker_deaths, p.params ->> 'n' as payload, e.code_version,
      array(select r.id || ' ' || (r.sent_at is not null) || ' ' || coalesce(r.outcome, 'null')
        from dlq.redrive r where r.entry_id = e.id order by r.id::text) as redrives
    from dlq.entry e join dlq.state s on s.entry_id = e.id
    join dlq.payload p on p.entry_id = e.id and p.payload_hash = e.payload_hash
    where e.id = any(${sql.param(real.ids)}::bigint[]) order by e.id`);
  return rows;
}

/** Both worlds hold the same entries, and the invariants hold. */
export async function expectSameWorlds(model: Model, real: Real): Promise<void> {
  expect(await realFields(real)).toEqual(model.entries.map(modelFields));
  for (const entry of model.entries) {
    expect(entry.redrives.filter((redrive) => redrive.outcome === null).length).toBeLessThanOrEqual(1);
    expect(entry.redrives.filter((redrive) => redrive.sent_at !== null)).toHaveLength(entry.redrive_total);
    expect(entry.redrive_attempts).toBeLessThanOrEqual(entry.max_redrives);
  }
}

/** Every event begins where the last one ended, versions only rise, and the last one ends where the entry is. */
export async function expectUnbrokenEvents(real: Real): Promise<void> {
  const { rows } = await real.db.execute<{ broken: number; last_is_state: boolean }>(sql`
    select count(*) filter (where from_state is distinct from before or version <= version_before)::integer as broken,
      bool_and(after is not null or to_state = state) as last_is_state
    from (
      select v.*, s.state, lag(v.to_state) over w as before, lag(v.version) over w as version_before, lead(v.id) over w as after
      from dlq.event v join dlq.state s using (entry_id)
      where v.entry_id = any(${sql.param(real.ids)}::bigint[]) window w as (partition by v.entry_id order by v.id)) chain`);
  expect(rows[0]).toEqual({ broken: 0, last_is_state: true });
}
