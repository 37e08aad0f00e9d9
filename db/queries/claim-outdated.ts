import { sql } from 'drizzle-orm';
import type { Db } from '../client';
import { UNDIAGNOSED_COLUMNS, type UndiagnosedRow } from './claim-undiagnosed';

/** How many diagnoses one claim looks at for old ones: bounded, since most may be new already. */
const STRETCH = 5000;
/** A worker that went away gives up its turn after so long. */
const LEASE = '2 minutes';

export interface OutdatedClaim {
  /** Null where it is another worker's turn, or there is nothing (more) to do. */
  turn: {
    /** How far the walk is when all of `rows` are done. */
    through_id: string;
    /** Nothing lies beyond. */
    is_end: boolean;
  } | null;
  rows: UndiagnosedRow[];
}

/**
 * Takes up to `limit` diagnoses that were made by older rules, in the order of the ids, and counts the try; what is shown
 * of them stays until they are made anew. One that was tried before comes alone, and after three tries no more. The turn
 * is this worker's until it is ended (end-renewal-turn). Those whose geometry lies in the blob store are left out on request.
 */
export async function claimOutdated(db: Db, ruleset: number, limit: number): Promise<OutdatedClaim> {
  const { rows } = await db.execute<UndiagnosedRow & { through_id: string; is_end: boolean }>(sql`
    with turn as (
      update dlq.diagnosis_renewal r set lease_until = clock_timestamp() + ${LEASE}::interval
      where r.ruleset = ${ruleset}::smallint and r.finished_at is null and (r.lease_until is null or r.lease_until < clock_timestamp())
      returning r.after_id
    ), stretch as materialized (
      select d.entry_id, d.tries, d.diagnosed_at is not null and d.ruleset < ${ruleset}::smallint and d.tries < 3 as is_old
      from dlq.diagnosis d where d.entry_id > (select after_id from turn) order by d.entry_id limit ${STRETCH}::integer
    ), old as (
      select s.entry_id, row_number() over w as n, count(*) filter (where s.tries > 0) over w as tried
      from stretch s where s.is_old window w as (order by s.entry_id)
    ), waiting as (
      select o.entry_id from old o where (o.n = 1 or o.tried = 0) and o.n <= ${limit}::integer
    ), taken as (
      update dlq.diagnosis d set tries = d.tries + 1 from waiting w where d.entry_id = w.entry_id and d.diagnosed_at is not null
      returning d.entry_id, d.tries
    ), reach as (
      select case when (select count(*) from waiting) = (select count(*) from old)
        then (select max(entry_id) from stretch) else (select max(entry_id) from waiting) end as through_id,
        (select count(*) from waiting) = (select count(*) from old) and (select count(*) from stretch) < ${STRETCH}::integer as is_end,
        (select after_id from turn) as after_id
    )
    select coalesce(r.through_id, r.after_id)::text as through_id, r.is_end, t.entry_id, t.tries, ${UNDIAGNOSED_COLUMNS}
    from reach r
    left join taken t on true
    left join dlq.entry e on e.id = t.entry_id
    left join dlq.payload p on p.entry_id = e.id and p.payload_hash = e.payload_hash
    where r.after_id is not null
    order by t.entry_id`);
  const [first] = rows;
  if (!first) return { turn: null, rows: [] };
  const turn = { through_id: first.through_id, is_end: first.is_end };
  return { turn, rows: rows.filter(({ entry_id }) => entry_id !== null) };
}
