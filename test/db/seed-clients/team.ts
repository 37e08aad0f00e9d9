import type { TestDatabase } from '../../support/database';
import { storeBy } from './store';

export const parcel = {
  task_name: 'reproject',
  wkt: 'POINT (10 50)',
  srid: 4326,
  src_crs: 'EPSG:4326',
  params: { a: 1 },
};
export const feature = { wkt: 'POINT (10 50)', epsg: 4326, payload: { k: 1 }, error: 'side location conflict' };

/** A team that writes into the documents' tables of a file's database, and what it asks; the database is made before the first test. */
export function teamOf(database: () => TestDatabase) {
  const rows = async (text: string, values: unknown[] = []) => (await database().pool.query(text, values)).rows;
  return {
    rows,
    one: async (text: string, values: unknown[] = []) => (await rows(text, values))[0],
    entryOf: async (key: string, task = 'reproject') =>
      (
        await rows(
          `select e.*, s.state, s.resolution, s.reopen_count, s.redriven_at, p.srid, p.src_crs, p.params, ST_AsText(p.geom) as wkt, ST_SRID(p.geom) as geom_srid
           from dlq.entry e join dlq.state s on s.entry_id = e.id join dlq.payload p on p.entry_id = e.id and p.payload_hash = e.payload_hash
           where coalesce(e.task_id, e.idempotency_key) = $1 and e.task_name = $2`,
          [key, task],
        )
      )[0],
    eventsOf: (key: string) =>
      rows(
        'select v.from_state, v.to_state, v.actor, v.reason from dlq.event v join dlq.entry e on e.id = v.entry_id where e.work_key = $1 order by v.id',
        [key],
      ),
    storeFirst: (...works: object[]) => storeBy(database().url, 'geotask_dlq', works),
    storeSecond: (...works: object[]) => storeBy(database().url, 'failed_geotasks', works),
  };
}
