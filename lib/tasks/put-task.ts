import type { Db } from '@/db/client';
import type { TaskRow } from '@/db/queries/get-task';
import { putTask as putTaskRow } from '@/db/queries/put-task';
import { DlqError } from '@/lib/contract/error';
import type { Manifest } from '@/lib/contract/task';
import { compileParamsSchema, ParamsSchemaError } from '@/lib/dead-letter/params-schema';
import type { Role } from '@/lib/dead-letter/vocabulary';

/**
 * Registers which code versions and params a task can rebuild, and where its redrives go. A target that is not configured
 * yet is taken: its entries are refused as `no_target` until it is.
 * @throws DlqError `unprocessable` where the params schema cannot be compiled, naming what is wrong with it.
 */
export async function putTask(
  { db, actor }: { db: Db; actor: { name: string; role: Role } },
  { task_name, manifest }: { task_name: string; manifest: Manifest },
): Promise<TaskRow> {
  try {
    compileParamsSchema(manifest.params_schema);
  } catch (error) {
    if (!(error instanceof ParamsSchemaError)) throw error;
    throw new DlqError('unprocessable', `params_schema cannot be used: ${error.message}`, { field: 'params_schema' });
  }
  return putTaskRow(db, task_name, manifest, actor.name);
}
