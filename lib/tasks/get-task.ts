import type { Db } from '@/db/client';
import { getTaskRow, type TaskRow } from '@/db/queries/get-task';
import { DlqError } from '@/lib/contract/error';

/** @throws DlqError `not_found` where the task has registered nothing. */
export async function getTask({ db }: { db: Db }, { task_name }: { task_name: string }): Promise<TaskRow> {
  const task = await getTaskRow(db, task_name);
  if (!task)
    throw new DlqError(
      'not_found',
      `task ${task_name} has registered no manifest; PUT /api/tasks/{task_name} does that`,
    );
  return task;
}
