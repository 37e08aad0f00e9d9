import { sqlStateOf } from './sql-state';

const MAX_TRIES = 5;

/**
 * Runs a transaction again where PostgreSQL rolled it back for another's sake (40001, 40P01): writers of another door
 * take their locks in an order of their own.
 */
export async function again<T>(run: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await run();
    } catch (error) {
      const code = sqlStateOf(error);
      if (tries >= MAX_TRIES || (code !== '40001' && code !== '40P01')) throw error;
    }
  }
}
