import type pg from 'pg';
import { vi } from 'vitest';

/** Resolves once as many sessions of the pool's database wait for a lock. */
export async function lockWaits(pool: pg.Pool, sessions = 1): Promise<void> {
  await vi.waitUntil(
    async () => {
      const { rows } = await pool.query(
        "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      return rows.length >= sessions;
    },
    { interval: 10, timeout: 20_000 },
  );
}
