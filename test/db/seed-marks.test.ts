import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { followIntoTables } from '@/lib/ingest/write-back';
import { cloneDatabase, type TestDatabase } from '../support/database';
import { feature, parcel, teamOf } from './seed-clients/team';

let database: TestDatabase;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database?.drop());

const { rows, one, entryOf, eventsOf, storeFirst, storeSecond } = teamOf(() => database);

describe('a team’s own marks', () => {
  test('redriven_at set by hand is kept, recorded, and not written over', async () => {
    await storeFirst({ ...parcel, work_key: 'by hand' });
    await followIntoTables(database.db);
    await rows("update geotask_dlq set redriven_at = '2026-11-30T10:00:00Z' where work_key = 'by hand'");
    expect(await entryOf('by hand')).toMatchObject({ state: 'open', redriven_at: new Date('2026-11-30T10:00:00Z') });
    expect((await eventsOf('by hand')).at(-1)).toMatchObject({
      from_state: 'open',
      to_state: 'open',
      actor: expect.stringMatching(/^sql:/),
      reason: 'by sql: redriven_at of geotask_dlq',
    });
    await storeFirst({ ...parcel, work_key: 'by hand' });
    await followIntoTables(database.db);
    expect(await one("select redriven_at from geotask_dlq where work_key = 'by hand'")).toEqual({
      redriven_at: new Date('2026-11-30T10:00:00Z'),
    });
  });

  test('resolving and reopening by hand are recorded transitions', async () => {
    await storeFirst({ ...parcel, work_key: 'marked' });
    await rows("update geotask_dlq set resolved_at = now() where work_key = 'marked'");
    await rows("update geotask_dlq set resolved_at = null where work_key = 'marked'");
    expect(await eventsOf('marked')).toMatchObject([
      { to_state: 'open', actor: 'capture:geotask_dlq' },
      { from_state: 'open', to_state: 'resolved', reason: 'by sql: resolved_at of geotask_dlq' },
      { from_state: 'resolved', to_state: 'open', reason: 'by sql: resolved_at of geotask_dlq' },
    ]);
    await storeSecond({ ...feature, task_id: 'quarantine' });
    await rows("update failed_geotasks set status = 'quarantined' where task_id = 'quarantine'");
    expect(await entryOf('quarantine', 'failed_geotasks')).toMatchObject({ state: 'quarantined' });
  });

  test('the time of a mark is the team’s, unless it would hide a failure', async () => {
    await storeFirst({ ...parcel, work_key: 'timed' }, { ...parcel, work_key: 'early' });
    const given = await one(
      "update geotask_dlq set resolved_at = now() where work_key = 'timed' returning resolved_at::text",
    );
    await rows("update geotask_dlq set resolved_at = '2020-01-01' where work_key = 'early'");
    await followIntoTables(database.db);
    expect(await one("select resolved_at::text from geotask_dlq where work_key = 'timed'")).toEqual(given);
    expect(await one("select resolved_at > failed_at as late from geotask_dlq where work_key = 'early'")).toEqual({
      late: true,
    });
  });

  test('a mark on an entry in flight warns, and the redrive’s outcome is written over it', async () => {
    await storeFirst({ ...parcel, work_key: 'in flight' });
    await rows(
      "update dlq.state s set state = 'redriving', attempt_id = gen_random_uuid(), lease_until = now() + interval '1 minute', version = version + 1 from dlq.entry e where e.id = s.entry_id and e.work_key = 'in flight'",
    );
    const client = await database.pool.connect();
    const notices: (string | undefined)[] = [];
    client.on('notice', ({ message }) => notices.push(message));
    await client.query("update geotask_dlq set resolved_at = now() where work_key = 'in flight'");
    client.release();
    expect(notices.join()).toContain('dead letter in flight is redriving just now');
    expect(await entryOf('in flight')).toMatchObject({ state: 'redriving' });
    await rows(
      "update dlq.state s set state = 'open', attempt_id = null, lease_until = null, version = version + 1 from dlq.entry e where e.id = s.entry_id and e.work_key = 'in flight'",
    );
    await followIntoTables(database.db);
    expect(await one("select resolved_at from geotask_dlq where work_key = 'in flight'")).toEqual({
      resolved_at: null,
    });
  });
});
