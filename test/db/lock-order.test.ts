import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, test } from 'vitest';
import { capture } from '@/db/queries/capture';
import { captureMany } from '@/db/queries/capture-many';
import { claimUndiagnosed } from '@/db/queries/claim-undiagnosed';
import { diagnoseRows } from '@/lib/diagnose/diagnose-rows';
import { readCapture } from '@/lib/ingest/read-capture';
import { cloneDatabase, type TestDatabase } from '@/test/support/database';
import { lockWaits } from '@/test/support/lock-waits';

let database: TestDatabase;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database?.drop());

test('a chunk and the worker that diagnoses its entries wait for each other, never in a circle', async () => {
  // ids rise while keys fall: whoever locks by the one meets who locks by the other
  const chunk = (round: number) =>
    Array.from({ length: 60 }, (_, i) =>
      readCapture(JSON.stringify({ work_key: `opposed-${99 - i}`, task_name: 't', geom_wkt: `POINT(${i} ${round})` }), {
        via: 'http',
      }),
    );
  for (const one of chunk(0)) await capture(database.db, one);
  const rows = await claimUndiagnosed(database.db, 1000, { alone: false, referenced: false });
  const both = await database.db.transaction(async (tx) => {
    await tx.execute(sql`select 1 from dlq.entry where work_key = 'opposed-70' for no key update`);
    const late = [captureMany(database.db, chunk(1)), diagnoseRows(database.db, rows, null)];
    await lockWaits(database.pool, 2);
    return late;
  });
  await Promise.all(both);
});
