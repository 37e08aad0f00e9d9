import type { ClientBase } from 'pg';
import type { ComboRow } from '@/lib/index/query';

const COLUMNS = `c.id, c.queue, c.failure_class, c.error_class, c.task_name, c.src_crs, c.srid, c.code_version, c.signature,
  c.crs_verdict, c.unmappable_reason, c.sensitive`;

/** The next combos behind `after` in the order of their ids, at most `most`. */
export async function loadCombos(client: ClientBase, after: number, most: number): Promise<ComboRow[]> {
  const { rows } = await client.query<ComboRow>(
    `select ${COLUMNS} from dlq.combo c where c.id > $1::integer order by c.id limit $2::integer`,
    [after, most],
  );
  return rows;
}

/** These combos. */
export async function readCombos(client: ClientBase, ids: readonly number[]): Promise<ComboRow[]> {
  const { rows } = await client.query<ComboRow>(`select ${COLUMNS} from dlq.combo c where c.id = any ($1::integer[])`, [
    ids,
  ]);
  return rows;
}
