import { sql } from 'drizzle-orm';
import type { Db, Tx } from '../client';

export interface ManifestRow {
  [column: string]: unknown;
  task_name: string;
  code_versions: string[];
  params_schema: Record<string, unknown>;
  target: string | null;
  idempotent: boolean;
  takes_references: boolean;
}

/** What tasks have registered; those that registered nothing are missing. */
export async function listManifests(db: Db | Tx, task_names: string[]): Promise<ManifestRow[]> {
  const { rows } = await db.execute<ManifestRow>(sql`
    select t.task_name, t.code_versions, t.params_schema, t.target, t.idempotent, t.takes_references
    from dlq.task t where t.task_name = any (${sql.param(task_names)}::text[])`);
  return rows;
}
