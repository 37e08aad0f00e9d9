import { expect } from 'vitest';
import type { TestDatabase } from '../../support/database';

/** What the tests of attached tables ask the database of a file, which is made before its first test. */
export function questionsTo(database: () => TestDatabase) {
  const rows = async (text: string, values: unknown[] = []) => (await database().pool.query(text, values)).rows;
  const one = async (text: string, values: unknown[] = []) => (await rows(text, values))[0];
  const entryOf = (key: string) =>
    one(
      `select e.work_key, e.task_name, e.attempts, e.failure_class, e.via, e.first_seen, s.state, s.resolution, s.resolved_at, s.redriven_at, s.reopen_count,
         (select count(*)::int from dlq.occurrence o where o.entry_id = e.id) as occurrences
       from dlq.entry e join dlq.state s on s.entry_id = e.id where e.work_key = $1`,
      [key],
    );
  /** Every entry's attempts are its occurrences and what its rows counted before. */
  const expectCounted = async () =>
    expect(
      await rows(`select e.work_key, e.attempts from dlq.entry e where e.attempts <> (select count(*) from dlq.occurrence o where o.entry_id = e.id)
        + coalesce((select sum(r.attempts_before) from dlq.attached_row r where r.entry_id = e.id), 0)`),
    ).toEqual([]);
  return { rows, one, entryOf, expectCounted };
}
