import type { Db } from '@/db/client';
import { getRunRows, type RunName, type RunRow } from '@/db/queries/get-run';
import { runHoles } from '@/db/queries/run-holes';
import { DlqError } from '@/lib/contract/error';
import { type RunDetail, runSchema } from '@/lib/contract/run';
import { tileKey } from '@/lib/dead-letter/tile-key';

export interface GetRunInput extends RunName {
  /** The last tile of the page of holes before. */
  cursor: string | null;
  /** How many holes to name. */
  limit: number;
}

/**
 * One run with the holes of its manifest.
 * @throws DlqError not_found; conflict where the id is that of several runs, naming them.
 */
export async function getRun({ db }: { db: Db }, { cursor, limit, ...name }: GetRunInput): Promise<RunDetail> {
  const after = cursor === null ? null : tileKey(cursor);
  if (cursor !== null && after === null)
    throw new DlqError('bad_request', `“${cursor.slice(0, 40)}” is no cursor of holes: take next_cursor as it came`);
  const { run, found } = await db.transaction(
    async (tx) => {
      const run = onlyOne(await getRunRows(tx, name), name);
      const { queue, run_id, task_name } = run;
      return { run, found: await runHoles(tx, { queue, run_id, task_name, after, limit: limit + 1 }) };
    },
    // one moment for both: what is missing and which
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  );
  const tiles = found?.tiles.slice(0, limit) ?? [];
  const more = (found?.tiles.length ?? 0) > limit;
  return {
    ...runSchema.parse(run),
    holes: found && { total: found.total, tiles, next_cursor: more ? (tiles.at(-1) ?? null) : null },
  };
}

function onlyOne(rows: RunRow[], { run_id }: RunName): RunRow {
  const [run, other] = rows;
  if (!run) throw new DlqError('not_found', `there is no run ${run_id.slice(0, 100)} of this queue and task`);
  if (!other) return run;
  const runs = rows.map(({ queue, task_name }) => ({ queue, task_name }));
  throw new DlqError('conflict', `${rows.length} runs have the id ${run_id.slice(0, 100)}: give queue and task_name`, {
    runs,
  });
}
