import type { ClientBase } from 'pg';
import { MOMENT_COLUMNS, type Moment, type MomentRow, momentOf } from './begin-snapshot';
import { STATE_COLUMNS, STATE_FIELDS, STATE_ORDER, type StateColumns } from './state-columns';

/**
 * Visible now and not in the snapshot: whatever the order of commits, each change is read once by a reader that takes the
 * snapshot of each reading into its next. “rev > last” would lose what drew an earlier rev and commits later.
 */
const isFresh = (snapshot: '$1' | '$2') =>
  `c.xid >= pg_snapshot_xmin(${snapshot}::pg_snapshot) and not pg_visible_in_snapshot(c.xid, ${snapshot}::pg_snapshot)`;

/** As offset 0 it is one look-up an entry, whatever the planner thinks of how many have changed. */
const STATE_OF_ENTRY = `left join lateral (select ${STATE_FIELDS} from dlq.state x where x.entry_id = i.id offset 0) s on true`;

export interface Changes {
  moment: Moment;
  /** Entries that changed since, each as often as it did. */
  count: number;
  /** What they are now; null where they are more than `most`. */
  states: StateColumns | null;
}

/** What changed since a snapshot, from one statement and so from one moment. Locks nothing. */
export async function readChanges(client: ClientBase, since: string, most: number): Promise<Changes> {
  const { rows } = await client.query<MomentRow & { count: string } & StateColumns>({
    name: 'read-changes',
    text: `with fresh as materialized (
        select c.entry_ids, cardinality(c.entry_ids) as n from dlq.change c where ${isFresh('$2')}
      ), size as materialized (
        select coalesce(sum(n), 0) as n from fresh
      ), changed as materialized (
        select distinct x.id from fresh f cross join lateral unnest(f.entry_ids) x(id)
        where (select n from size) <= $3::integer
      )
      select ${MOMENT_COLUMNS}, (select n from size)::text as count, ${STATE_COLUMNS}
      from (select 1) one left join changed i on true ${STATE_OF_ENTRY}`,
    values: [STATE_ORDER, since, most],
  });
  const row = rows[0]!;
  const count = Number(row.count);
  return { moment: momentOf(row), count, states: count <= most ? row : null };
}

/** A stretch of the entries of one change, counted from 1, both ends included. */
export interface ChangePart {
  rev: string;
  first: number;
  last: number;
}

/** The changes since a snapshot and how many entries each has; within a transaction of `beginSnapshot`. */
export async function listChanges(client: ClientBase, since: string): Promise<{ rev: string; entries: number }[]> {
  const { rows } = await client.query<{ rev: string; entries: number }>(
    `select c.rev::text as rev, cardinality(c.entry_ids) as entries from dlq.change c
     where ${isFresh('$1')} order by c.rev`,
    [since],
  );
  return rows;
}

/** What the entries of these stretches are now; within a transaction of `beginSnapshot`. */
export async function readChangedStates(client: ClientBase, parts: readonly ChangePart[]): Promise<StateColumns> {
  const { rows } = await client.query<StateColumns>({
    text: `with changed as materialized (
        select distinct x.id
        from unnest($2::bigint[], $3::integer[], $4::integer[]) p(rev, first, last)
        cross join lateral (select c.entry_ids from dlq.change c where c.rev = p.rev offset 0) c
        cross join lateral unnest(c.entry_ids[p.first : p.last]) x(id)
      )
      select ${STATE_COLUMNS} from changed i ${STATE_OF_ENTRY}`,
    values: [STATE_ORDER, parts.map(({ rev }) => rev), parts.map(({ first }) => first), parts.map(({ last }) => last)],
  });
  return rows[0]!;
}
