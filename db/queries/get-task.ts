import { sql } from 'drizzle-orm';
import type { Db, Tx } from '../client';

export type TaskRow = {
  task_name: string;
  code_versions: string[];
  params_schema: Record<string, unknown>;
  target: string | null;
  idempotent: boolean;
  takes_references: boolean;
  owner: string | null;
  updated_at: string;
  updated_by: string;
};

export const TASK_COLUMNS = sql`t.task_name, t.code_versions, t.params_schema, t.target, t.idempotent, t.takes_references, t.owner,
  dlq.iso(t.updated_at) as updated_at, t.updated_by`;

/** The manifest of a task, or nothing. Locks nothing. */
export async function getTaskRow(db: Db | Tx, task_name: string): Promise<TaskRow | undefined> {
  const { rows } = await db.execute<TaskRow>(sql`
    select ${TASK_COLUMNS} from dlq.task t where t.task_name = ${task_name}::text`);
  return rows[0];
}
