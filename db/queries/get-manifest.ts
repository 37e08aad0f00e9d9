import { sql } from 'drizzle-orm';
import type { Db, Tx } from '@/db/client';

export interface ManifestOfTask extends Record<string, unknown> {
  code_versions: string[];
  params_schema: Record<string, unknown>;
  target: string | null;
  owner: string | null;
}

/** What a task has registered, or null. */
export async function getManifest(db: Db | Tx, task_name: string): Promise<ManifestOfTask | null> {
  const { rows } = await db.execute<ManifestOfTask>(sql`
    select t.code_versions, t.params_schema, t.target, t.owner from dlq.task t where t.task_name = ${task_name}::text`);
  return rows[0] ?? null;
}
