import { sql } from 'drizzle-orm';

/**
 * What became of an operation's item, over the aliases `i` (dlq.operation_item), `r` (its dlq.redrive, left-joined by
 * attempt_id) and `s` (dlq.state). A sent item keeps no outcome of its own: its redrive is the one truth.
 */
export const itemOutcome = sql`case
  when i.outcome <> 'sent' then i.outcome
  when r.outcome = 'succeeded' then 'fixed'
  when r.outcome = 'refailed' then 'failed_again'
  when r.outcome = 'rejected' then 'rejected'
  when r.outcome = 'unknown' then 'in_doubt'
  when r.outcome is not null then 'cancelled'
  when s.attempt_id = r.id and s.state = 'redriven' then 'accepted'
  when s.attempt_id = r.id and s.state = 'in_doubt' then 'in_doubt'
  else 'in_flight' end`;

/** The joins that `itemOutcome` reads. */
export const itemOutcomeJoins = sql`
  left join dlq.redrive r on r.id = i.attempt_id
  join dlq.state s on s.entry_id = i.entry_id`;
