import type { ClientBase } from 'pg';
import { STATE_COLUMNS, STATE_FIELDS, STATE_ORDER, type StateColumns } from './state-columns';

/** The rows of dlq.state that lie in the pages [first_page, end_page) of its table: a scan of those pages alone. */
export async function loadStates(client: ClientBase, first_page: number, end_page: number): Promise<StateColumns> {
  const { rows } = await client.query<StateColumns>({
    text: `select ${STATE_COLUMNS}
      from (select x.entry_id as id, ${STATE_FIELDS} from dlq.state x where x.ctid >= $2::tid and x.ctid < $3::tid) s
      cross join lateral (select s.id) i`,
    values: [STATE_ORDER, `(${first_page},0)`, `(${end_page},0)`],
  });
  return rows[0]!;
}

/** How many pages dlq.state has now. Every row that an earlier snapshot sees lies in them. */
export async function countStatePages(client: ClientBase): Promise<number> {
  const { rows } = await client.query<{ pages: number }>(
    `select (pg_relation_size('dlq.state') / current_setting('block_size')::integer)::integer as pages`,
  );
  return rows[0]!.pages;
}
