import { STATES } from '@/lib/dead-letter/vocabulary';

/**
 * Rows of dlq.state, a column each, as `array_send` of PostgreSQL writes an array of eight-byte numbers: no row is an
 * object on the way, which makes ten million of them affordable. All null where there is no row.
 */
export interface StateColumns {
  entry_ids: Buffer | null;
  /** combo × 16 + place of the state in STATES × 2 + whether it was reopened; −1 where there is no such entry (any more). */
  facts: Buffer | null;
  /** Microseconds since 2000, the greatest and the least number for the infinities. */
  failed_at: Buffer | null;
  /** −1 for none. */
  cells: Buffer | null;
  public_cells: Buffer | null;
}

/** The columns of StateColumns over `i.id` and the alias `s`, a row of STATE_FIELDS; $1 is STATE_ORDER. */
export const STATE_COLUMNS = `
  array_send(array_agg(i.id) filter (where i.id is not null)) as entry_ids,
  array_send(array_agg(coalesce(s.facts, -1)) filter (where i.id is not null)) as facts,
  array_send(array_agg(coalesce(s.failed_at, 'epoch')) filter (where i.id is not null)) as failed_at,
  array_send(array_agg(coalesce(s.cell, -1)) filter (where i.id is not null)) as cells,
  array_send(array_agg(coalesce(s.public_cell, -1)) filter (where i.id is not null)) as public_cells`;

/** What STATE_COLUMNS needs of dlq.state under the alias `x`. */
export const STATE_FIELDS = `
  x.combo::bigint * 16 + array_position($1::text[], x.state) * 2 + (x.reopen_count > 0)::integer as facts,
  x.failed_at, x.cell, x.public_cell`;

/** With a place before the first, since array_position counts from one. */
export const STATE_ORDER: readonly string[] = STATES;
