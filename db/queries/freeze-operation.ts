import { type SQL, sql } from 'drizzle-orm';
import type { Action } from '@/lib/contract/operation';
import type { Tx } from '../client';

/** What an action leaves out, with the reason; null: it can be applied. Over `s` (dlq.state) and `c` (dlq.combo). */
const SKIP_REASON: Record<Action, SQL> = {
  redrive: sql`case
    when s.state in ('redriving', 'redriven') then 'in_flight'
    when s.state = 'in_doubt' and not coalesce(t.idempotent, false) then 'in_doubt'
    when s.state = 'quarantined' then 'quarantined'
    when s.state = 'resolved' then 'resolved'
    when s.redrive_attempts >= s.max_redrives then 'at_cap'
    when t.task_name is null then 'no_manifest'
    when exists (select 1 from dlq.operation o join dlq.operation_item oi on oi.operation_id = o.id
      where o.state in ('running', 'paused') and o.action = 'redrive' and oi.entry_id = s.entry_id and oi.outcome = 'waiting') then 'in_another_operation' end`,
  abandon: sql`case when s.state in ('redriving', 'redriven') then 'in_flight' when s.state = 'resolved' then 'resolved' end`,
  quarantine: sql`case when s.state in ('redriving', 'redriven') then 'in_flight' when s.state in ('resolved', 'in_doubt', 'quarantined') then s.state end`,
  reopen: sql`case when s.state in ('redriving', 'redriven') then 'in_flight' when s.state = 'open' then s.state end`,
};

const SKIP_DETAIL = sql`case reason when 'at_cap' then 'at the cap of ' || max_redrives || ' redrives' when 'no_manifest' then task_name end`;

/**
 * Freezes the set: every matching entry with its version, the ones the action leaves out with the reason. `from` joins
 * what `condition` reads to `s` (dlq.state) and `c` (dlq.combo). Locks nothing: what changes later is noticed by version.
 * @returns the number of entries in the set.
 */
export async function freezeOperation(
  tx: Tx,
  operation_id: string,
  action: Action,
  { joins, condition }: { joins: SQL; condition: SQL },
): Promise<number> {
  const { rowCount } = await tx.execute(sql`
    insert into dlq.operation_item (operation_id, entry_id, version, outcome, skip_reason, detail, done_at)
    select ${operation_id}::bigint, entry_id, version, case when reason is null then 'waiting' else 'skipped' end, reason, ${SKIP_DETAIL},
      case when reason is not null then clock_timestamp() end
    from (
      select s.entry_id, s.version, s.max_redrives, c.task_name, ${SKIP_REASON[action]} as reason
      from dlq.state s
      join dlq.combo c on c.id = s.combo
      left join dlq.task t on t.task_name = c.task_name
      ${joins}
      where ${condition}
    ) matched`);
  return rowCount ?? 0;
}
