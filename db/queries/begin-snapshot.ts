import type { ClientBase } from 'pg';

/** A moment of the database, and what was visible then. */
export interface Moment {
  /** As text of the type pg_snapshot. */
  snapshot: string;
  /** ISO 8601, UTC; never later than the snapshot. */
  as_of: string;
  /** The same, microseconds since 1970. */
  as_of_us: number;
}

/** Names the moment of the transaction that runs, or of this statement alone. */
export const MOMENT_COLUMNS = `pg_current_snapshot()::text as snapshot, dlq.iso(now()) as as_of,
  trunc(extract(epoch from now()) * 1000000)::text as as_of_us`;

export type MomentRow = { snapshot: string; as_of: string; as_of_us: string };

export const momentOf = ({ snapshot, as_of, as_of_us }: MomentRow): Moment => ({
  snapshot,
  as_of,
  as_of_us: Number(as_of_us),
});

/** Begins a transaction in which every statement sees what this moment sees. The caller ends it. */
export async function beginSnapshot(client: ClientBase): Promise<Moment> {
  await client.query('begin isolation level repeatable read, read only');
  const { rows } = await client.query<MomentRow>(`select ${MOMENT_COLUMNS}`);
  return momentOf(rows[0]!);
}
