import { type SQL, sql } from 'drizzle-orm';
import type { Action, OPERATION_STATES } from '@/lib/contract/operation';
import type { Db, Tx } from '../client';

export interface OperationRow {
  [column: string]: unknown;
  id: string;
  preview_id: string;
  action: Action;
  state: (typeof OPERATION_STATES)[number];
  actor: string;
  reason: string | null;
  filter: Record<string, unknown> | null;
  rate_per_s: number | null;
  canary: number | null;
  eligible: number;
  frozen_at: string;
  expires_at: string;
  is_expired: boolean;
  started_at: string | null;
  finished_at: string | null;
  paused_because: string | null;
  as_of: string;
}

/** The columns of an operation over the alias `o`. */
export const operationColumns: SQL = sql`o.id, o.preview_id, o.action, o.state, o.actor, o.reason, o.filter, o.rate_per_s, o.canary, o.eligible,
  dlq.iso(o.frozen_at) as frozen_at, dlq.iso(o.expires_at) as expires_at, o.expires_at <= clock_timestamp() as is_expired,
  dlq.iso(o.started_at) as started_at, dlq.iso(o.finished_at) as finished_at, o.paused_because, dlq.iso(clock_timestamp()) as as_of`;

/** One operation, by its id or by the id of its preview. */
export async function getOperationRow(
  db: Db | Tx,
  by: { id: string } | { preview_id: string },
): Promise<OperationRow | null> {
  const which = 'id' in by ? sql`o.id = ${by.id}::bigint` : sql`o.preview_id = ${by.preview_id}::uuid`;
  const { rows } = await db.execute<OperationRow>(sql`select ${operationColumns} from dlq.operation o where ${which}`);
  return rows[0] ?? null;
}
