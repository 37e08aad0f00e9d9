import { afterAll, beforeAll, expect, test } from 'vitest';
import { classify } from '@/lib/capture/classify';
import { errorMessage, errorType } from '@/lib/capture/error-evidence';
import { cloneDatabase, type TestDatabase } from '@/test/support/database';
import { CLASSIFY_SAMPLES, errorOf, UNKNOWN_SAMPLES } from '../fixtures/classify-samples';

let database: TestDatabase;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database.drop());

test('the client’s classifier and the database’s never give one error two different classes', async () => {
  const errors = [...CLASSIFY_SAMPLES, ...UNKNOWN_SAMPLES].map(errorOf);
  const { rows } = await database.pool.query<{ failure_class: string }>(
    'select dlq.classify(error_type, error_text) as failure_class from unnest($1::text[], $2::text[]) with ordinality x (error_type, error_text, n) order by n',
    [errors.map(errorType), errors.map(errorMessage)],
  );
  const differing = errors
    .map((error, i) => ({
      error: `${errorType(error)}: ${error.message}`,
      sql: rows[i]?.failure_class,
      ts: classify(error),
    }))
    .filter(({ sql, ts }) => sql !== ts && sql !== 'unknown' && ts !== 'unknown');
  expect(differing).toEqual([]);
  // the database has no codes, exit codes or causes to go by: it may know less, and does of these
  const known = rows.filter((row) => row.failure_class !== 'unknown').length;
  expect(known).toBeGreaterThan(40);
});
