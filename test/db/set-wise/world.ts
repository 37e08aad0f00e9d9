import type pg from 'pg';
import { aheadMinute, attemptOf, type Before, keyOf, minute, type Scenario, uuid } from './scenario';

/** Brings the entries of a scenario into the states that it names: the failure at minute 5, whatever came of it at minute 10. */
export async function prepare(pool: pg.Pool, run: string, { before }: Scenario): Promise<void> {
  for (const [key, wanted] of before.entries()) if (wanted !== 'absent') await prepareEntry(pool, run, key, wanted);
}

async function prepareEntry(pool: pg.Pool, run: string, key: number, wanted: Before): Promise<void> {
  const attempt = attemptOf(run, key);
  const first = {
    work_key: keyOf(run, key),
    task_name: key === 3 ? 'other' : 't',
    failed_at: wanted === 'open_ahead' ? aheadMinute(5) : minute(5),
    capture_id: uuid(`${run}first${key}`),
    code_version: '1.0',
    params: { a: 1 },
    via: 'http',
  };
  const { rows } = await pool.query('select (dlq.capture($1::jsonb)).entry_id::text as id', [JSON.stringify(first)]);
  const id = rows[0].id as string;
  const set = (assignments: string, ...values: unknown[]) =>
    pool.query(`update dlq.state set version = version + 1, ${assignments} where entry_id = $1::bigint`, [
      id,
      ...values,
    ]);
  if (wanted === 'diagnosed')
    await pool.query(
      `update dlq.diagnosis d set diagnosed_at = $2::timestamptz, tries = 2, payload_hash = e.payload_hash, crs_verdict = 'agrees'
       from dlq.entry e where e.id = d.entry_id and e.id = $1::bigint`,
      [id, minute(6)],
    );
  if (wanted === 'diagnosed') await set('cell = 12345, public_cell = 12345');
  if (wanted === 'quarantined') await set("state = 'quarantined'");
  if (wanted === 'ruled')
    await pool.query(
      "update dlq.entry set classified_by = 'rule', failure_class = 'crs_mismatch' where id = $1::bigint",
      [id],
    );
  if (wanted === 'fixed' || wanted.startsWith('abandoned')) {
    const resolution = wanted === 'fixed' ? 'fixed' : 'abandoned';
    await set('state = $2, resolution = $3, resolved_at = $4::timestamptz', 'resolved', resolution, minute(10));
  }
  if (wanted === 'redriving' || wanted === 'redriven' || wanted === 'in_doubt') {
    await pool.query(
      `insert into dlq.redrive (id, entry_id, payload_hash, idempotency_key, target, worker, sent_at)
       select $2::uuid, e.id, e.payload_hash, e.idempotency_key, 'webhook', 'w', $3::timestamptz from dlq.entry e where e.id = $1::bigint`,
      [id, attempt, wanted === 'redriving' ? null : minute(10)],
    );
    await set(
      "state = 'redriving', attempt_id = $2::uuid, lease_until = $3::timestamptz, redrive_attempts = $4, redrive_total = 3",
      attempt,
      minute(60),
      key === 0 ? 3 : 1,
    );
    if (wanted !== 'redriving') await set('state = $2, lease_until = null', wanted);
  }
}

/** Everything that a database holds of a run, without ids, moments of receipt and counts of steps; comparable across databases. */
export async function holdings(pool: pg.Pool, run: string): Promise<Record<string, unknown[]>> {
  const entries = `(select * from dlq.entry where idempotency_key like '${run}-%')`;
  const queries: Record<string, string> = {
    entry: `select to_jsonb(e) - 'id' as row from ${entries} e order by e.work_key collate "C"`,
    payload: `select e.work_key, p.geom::text, to_jsonb(p) - '{entry_id,geom,captured_at}'::text[] as row
      from ${entries} e join dlq.payload p on p.entry_id = e.id order by e.work_key collate "C", p.payload_hash`,
    occurrence: `select e.work_key, to_jsonb(o) - '{entry_id,received_at}'::text[] as row
      from ${entries} e join dlq.occurrence o on o.entry_id = e.id order by o.capture_id`,
    diagnosis: `select e.work_key, to_jsonb(d) - 'entry_id' as row from ${entries} e join dlq.diagnosis d on d.entry_id = e.id order by e.work_key collate "C"`,
    state: `select e.work_key, to_jsonb(s) - '{entry_id,version,combo,resolved_at}'::text[] as row,
        case when s.resolved_at < '2026-01-02' then s.resolved_at::text when s.resolved_at is not null then 'now' end as resolved,
        to_jsonb(c) - '{id,key}'::text[] as combo, c.key = dlq.combo_key(c.queue, c.failure_class, c.error_class, c.task_name, c.src_crs, c.srid,
          c.code_version, c.signature, c.crs_verdict, c.unmappable_reason, c.sensitive) as keyed
      from ${entries} e join dlq.state s on s.entry_id = e.id join dlq.combo c on c.id = s.combo order by e.work_key collate "C"`,
    event: `select e.work_key, to_jsonb(v) - '{id,entry_id,at,version}'::text[] as row
      from ${entries} e join dlq.event v on v.entry_id = e.id order by e.work_key collate "C", v.id`,
    redrive: `select r.id, r.outcome, r.answer, r.ended_at is null as alive
      from ${entries} e join dlq.redrive r on r.entry_id = e.id order by r.id`,
  };
  const found: Record<string, unknown[]> = {};
  for (const [name, text] of Object.entries(queries)) found[name] = (await pool.query(text)).rows;
  return found;
}

/** The versions of a run's entries, to tell which were changed. */
export async function versions(pool: pg.Pool, run: string): Promise<Map<string, number>> {
  const { rows } = await pool.query<{ work_key: string; version: number }>(
    `select e.work_key, s.version::integer from dlq.entry e join dlq.state s on s.entry_id = e.id where e.idempotency_key like '${run}-%'`,
  );
  return new Map(rows.map(({ work_key, version }) => [work_key, version]));
}

/** The entries that the feed named since `rev`. */
export async function fed(pool: pg.Pool, run: string, rev: string): Promise<string[]> {
  const { rows } = await pool.query<{ work_key: string }>(
    `select distinct e.work_key from dlq.change c, unnest(c.entry_ids) i join dlq.entry e on e.id = i
     where c.rev > $1::bigint and e.idempotency_key like '${run}-%' order by 1`,
    [rev],
  );
  return rows.map(({ work_key }) => work_key);
}

export async function lastRev(pool: pg.Pool): Promise<string> {
  return (await pool.query('select coalesce(max(rev), 0)::text as rev from dlq.change')).rows[0].rev;
}
