import type pg from 'pg';

/** The tables that refer to an entry which is not there, with how many rows do. */
export async function orphans(pool: pg.Pool): Promise<Record<string, number>> {
  const { rows } = await pool.query<{ table_name: string; row_count: number }>(
    'select table_name, row_count::integer from dlq.orphans() where row_count > 0',
  );
  return Object.fromEntries(rows.map(({ table_name, row_count }) => [table_name, row_count]));
}
