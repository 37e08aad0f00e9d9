import { sql } from 'drizzle-orm';
import type { Manifest } from '@/lib/contract/task';
import type { Db, Tx } from '../client';
import { TASK_COLUMNS, type TaskRow } from './get-task';

/** Registers a task or replaces its manifest. Locks its row; the last writer wins. */
export async function putTask(db: Db | Tx, task_name: string, manifest: Manifest, actor: string): Promise<TaskRow> {
  const { rows } = await db.execute<TaskRow>(sql`
    insert into dlq.task as t (task_name, code_versions, params_schema, target, idempotent, takes_references, owner, updated_by)
    values (${task_name}::text, ${sql.param(manifest.code_versions)}::text[], ${JSON.stringify(manifest.params_schema)}::jsonb,
      ${manifest.target ?? null}::text, ${manifest.idempotent}::boolean, ${manifest.takes_references}::boolean, ${manifest.owner ?? null}::text, ${actor}::text)
    on conflict (task_name) do update set
      code_versions = excluded.code_versions, params_schema = excluded.params_schema, target = excluded.target,
      idempotent = excluded.idempotent, takes_references = excluded.takes_references, owner = excluded.owner, updated_by = excluded.updated_by, updated_at = clock_timestamp()
    returning ${TASK_COLUMNS}`);
  return rows[0]!;
}
